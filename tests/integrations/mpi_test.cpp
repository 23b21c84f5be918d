// Tests of xorloom-mpi, to be run by mpirun: xorloom_mpi_test DIRECTORY CASE…
//
//   families SPEC…   encodes, loses as many ranks as the placement survives, rebuilds, decodes
//   rounds N         the same N times with small sizes and random losses
//   damage           damaged blocks, interrupted calls
//   refusals         wrong calls: one sentence, the same status on all ranks
//   shrink           fewer ranks rebuild than encoded

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "integrations/mpi/placement.hpp"
#include "tests/integrations/mpi_check.hpp"
#include "xorloom/mpi.hpp"

namespace {

using namespace xorloom::mpi;        // NOLINT(google-build-using-namespace)
using namespace xorloom::mpi::test;  // NOLINT(google-build-using-namespace)
using xorloom::Status;

const MPI_Comm kAll = MPI_COMM_WORLD;

const std::array<Route, 4> kRoutes{nullptr, star, tree, chain};

/// The data of a rank: sizes differ, some are 0.
std::vector<std::uint8_t> data_of(int rank, std::uint64_t seed, std::size_t most) {
  const auto number = static_cast<std::uint64_t>(rank);
  return bytes_of(seed * 1000 + number, (number * 7919 + seed) * 37 % (most + 1));
}

/// Gives each of `ranks` a new, empty store: its shards are lost.
void lose(const std::vector<int>& ranks, Store& store) {
  if (std::ranges::find(ranks, rank_in(kAll)) != ranks.end()) store = Store::memory();
}

void decode_and_compare(Store& store, const std::vector<std::uint8_t>& data,
                        const std::string& what) {
  std::vector<std::uint8_t> got(data.size());
  check_ok(kAll, decode(kAll, got.data(), got.size(), store), "decode " + what);
  check(kAll, got == data, "the data of " + what);
}

void lose_and_rebuild(const std::string& spec, std::uint64_t seed, std::size_t most_bytes) {
  Draw draw(seed);
  Options options;
  options.block_bytes = 1024;
  options.slice_bytes = 4096;
  options.slices_in_flight = 1 + static_cast<int>(draw.below(3));
  options.host = "node" + std::to_string(rank_in(kAll) / 2);
  if (seed % 3 == 2) options.domains = Domains::kHosts;
  Survival survival;
  const std::string what = spec + ", seed " + std::to_string(seed);
  if (!check_ok(kAll, survives(kAll, spec, survival, options), "survives " + what)) return;
  Store store = Store::memory();
  const auto data = data_of(rank_in(kAll), seed, most_bytes);
  check_ok(kAll, encode(kAll, data.data(), data.size(), spec, store, options), "encode " + what);

  lose(draw.some(survival.ranks, size_of(kAll)), store);
  State state;
  check_ok(kAll, inspect(kAll, store, state), "inspect " + what);
  check(kAll, std::ranges::all_of(state.sets, [](const SetState& set) { return set.recoverable; }),
        "everything is recoverable: " + what + "\n" + state.text());
  options.route = kRoutes[draw.below(kRoutes.size())];
  check_ok(kAll, rebuild(kAll, store, options), "rebuild " + what);
  options.check_blocks = true;
  check_ok(kAll, inspect(kAll, store, state, options), "inspect " + what);
  check(kAll, state.is_whole(), "all is rebuilt: " + what + "\n" + state.text());

  // Others are lost, and data is decoded on the way.
  lose(draw.some(survival.ranks, size_of(kAll)), store);
  decode_and_compare(store, data, what);
}

void families(const std::vector<std::string>& specs) {
  std::uint64_t seed = 1;
  for (const std::string& spec : specs) lose_and_rebuild(spec, seed++, 40'000);
}

void rounds(std::uint64_t number) {
  const std::array<std::string, 5> specs{"rs:k=4,m=2", "clay:k=4,m=2,d=5", "liberation:k=4,w=5",
                                         "lrc:k=4,m=2,l=3", "parity:k=3"};
  for (std::uint64_t seed = 1; seed <= number; ++seed)
    lose_and_rebuild(specs[seed % specs.size()], seed, 6'000);
}

std::filesystem::path own_directory(const std::string& base) {
  return std::filesystem::path(base) / ("node-" + std::to_string(rank_in(kAll)));
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// Changes a byte in the middle of a file.
void damage(const std::filesystem::path& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(path) / 2);
  file.seekg(middle);
  const auto byte = static_cast<char>(file.get() ^ 1);
  file.seekp(middle);
  file.put(byte);
}

/// Files look as if the program had ended before it named them.
void unname(const std::filesystem::path& path) {
  const std::string name = "." + path.filename().string() + ".xorloom-0123456789abcdef";
  std::filesystem::rename(path, path.parent_path() / name);
}

void damaged(const std::string& base) {
  const int rank = rank_in(kAll);
  const std::filesystem::path own = own_directory(base);
  Store store = Store::directory(own);
  Options options;
  options.block_bytes = 512;
  options.slice_bytes = 2048;
  const auto data = data_of(rank, 5, 20'000);
  check_ok(kAll, encode(kAll, data.data(), data.size(), "rs:k=3,m=2", store, options), "encode");
  check(kAll, files_in(own).size() == 5, "each rank has five shards");

  // A block in a shard of rank 1 is damaged. Whoever reads it does without it.
  if (rank == 1) {
    for (const auto& file : files_in(own)) damage(file);
  }
  decode_and_compare(store, data, "damaged shards");
  State state;
  options.check_blocks = true;
  check_ok(kAll, inspect(kAll, store, state, options), "inspect");
  check(kAll, !state.is_whole() && state.text().find("can be rebuilt") != std::string::npos,
        "damage is found: " + state.text());
  // Rank 2 is gone as well, and rebuilding finds the damage only as it reads.
  if (rank == 2) std::filesystem::remove_all(own);
  options.check_blocks = false;
  options.route = chain;
  check_ok(kAll, rebuild(kAll, store, options), "rebuild over damage");
  options.check_blocks = true;
  check_ok(kAll, rebuild(kAll, store, options), "rebuild what is damaged");
  check_ok(kAll, inspect(kAll, store, state, options), "inspect");
  check(kAll, state.is_whole(), "damage is repaired: " + state.text());

  // The next call ends before some shards have their names: they count.
  const auto more = data_of(rank, 6, 20'000);
  options.check_blocks = false;
  options.route = nullptr;
  check_ok(kAll, encode(kAll, more.data(), more.size(), "rs:k=3,m=2", store, options), "again");
  if (rank != 0) {
    for (const auto& file : files_in(own)) unname(file);
  }
  MPI_Barrier(kAll);
  decode_and_compare(store, more, "shards without names");
  check(kAll, files_in(own).front().filename().string().front() != '.', "they get their names");
  // If a call ends before any shard has its name, none of them counts, and the next call removes
  // them.
  for (const auto& file : files_in(own)) unname(file);
  check(kAll, inspect(kAll, store, state), Status::kIo, "no rank has shards", "no names");
  std::ofstream(own /
                (".xorloom-00000000000000000000000000000000-0.shard.xorloom-0123456789abcdef"))
      << "half";
  check_ok(kAll, encode(kAll, data.data(), data.size(), "rs:k=3,m=2", store, options), "anew");
  check(kAll, files_in(own).size() == 5, "what was left over is gone");
  decode_and_compare(store, data, "the last call");
}

void refusals(const std::string& base) {
  const int rank = rank_in(kAll);
  const int size = size_of(kAll);
  Store store = Store::memory();
  std::array<std::uint8_t, 100> data{};
  const auto encode_as = [&](const std::string& spec, const Options& options) {
    return encode(kAll, data.data(), data.size(), spec, store, options);
  };
  check(kAll, encode_as("rs:k=4,m=x", {}), Status::kParse, "", "a spec that is none");
  check(kAll, encode_as("rs:k=300,m=4", {}), Status::kInvalidArgument, "304", "k too large");
  check(kAll, encode_as(rank == 1 ? "rs:k=2,m=2" : "rs:k=3,m=1", {}), Status::kInvalidArgument,
        "rank 1 gives another spec", "different specs");
  Options options;
  options.label = "no/name";
  check(kAll, encode_as("rs:k=2,m=1", options), Status::kInvalidArgument, "no/name", "a label");
  options = {};
  options.slices_in_flight = rank == 2 ? 0 : 1;
  check(kAll, encode_as("rs:k=2,m=1", options), Status::kInvalidArgument, "slices_in_flight = 0",
        "no slices");
  check(kAll, encode(kAll, rank == 1 ? nullptr : data.data(), data.size(), "rs:k=2,m=1", store),
        Status::kInvalidArgument, "the buffer of rank 1 is null", "no buffer");

  // Hosts and routes.
  const std::string hosts = base + "/hosts";
  if (rank == 0) std::ofstream(hosts) << "node0 east # and more\nnode1 west\n\n";
  MPI_Barrier(kAll);
  options = {};
  options.domains = Domains::kFile;
  options.host_file = hosts;
  options.host = rank == 2 ? "node7" : "node" + std::to_string(rank % 2);
  check(kAll, encode_as("rs:k=2,m=1", options), Status::kInvalidArgument,
        "does not name the host node7", "an unknown host");
  options.host_file = base + "/nothing";
  check(kAll, encode_as("rs:k=2,m=1", options), Status::kIo, "cannot read the host file",
        "no host file");
  State state;
  check(kAll, inspect(kAll, store, state), Status::kIo, "no rank has shards", "nothing there");
  check_ok(kAll, encode_as("rs:k=2,m=1", {}), "encode");
  if (rank == 1) store = Store::memory();
  options = {};
  options.route = [](const RepairSites& sites) {
    return std::vector<int>(sites.helpers.size(), sites.helpers.front());
  };
  check(kAll, rebuild(kAll, store, options), Status::kInvalidArgument, "goes in a circle",
        "a circle");
  options.route = [](const RepairSites&) { return std::vector<int>(); };
  check(kAll, rebuild(kAll, store, options), Status::kInvalidArgument, "0 parents", "no parents");
  check_ok(kAll, rebuild(kAll, store), "rebuild");

  // Sizes, and too much that is lost.
  check(kAll, decode(kAll, data.data(), rank == 2 ? 99 : 100, store), Status::kInvalidArgument,
        "the data of rank 2 has 100 bytes, and its buffer 99", "another size");
  if (rank == 1 || rank == 2) store = Store::memory();
  check(kAll, rebuild(kAll, store), Status::kDamaged, "cannot be recovered: 2 of 3 chunks are gone",
        "too much is lost");
  check(kAll, decode(kAll, data.data(), data.size(), store), Status::kDamaged,
        "cannot be recovered", "too much to decode");

  // A rank that cannot write.
  const std::string file = base + "/file-" + std::to_string(rank);
  std::ofstream(file) << "no directory";
  Store blocked = Store::directory(rank == size - 1 ? file + "/below" : file + "-directory");
  check(kAll, encode(kAll, data.data(), data.size(), "rs:k=2,m=1", blocked), Status::kIo, "file-",
        "a directory that cannot be");
}

void shrink() {
  const int rank = rank_in(kAll);
  const int size = size_of(kAll);
  Store store = Store::memory();
  const auto data = data_of(rank, 9, 5'000);
  check_ok(kAll, encode(kAll, data.data(), data.size(), "rs:k=2,m=2", store), "encode");
  const bool is_left = rank < size - 2;
  MPI_Comm left = MPI_COMM_NULL;
  MPI_Comm_split(kAll, is_left ? 0 : 1, rank, &left);
  if (is_left) {
    State state;
    check_ok(left, rebuild(left, store), "rebuild by those who are left");
    check_ok(left, inspect(left, store, state), "inspect by those who are left");
    check(left, state.is_whole() && state.ranks == size, "all sets are whole: " + state.text());
    check(left, decode(left, nullptr, 0, store), Status::kInvalidArgument, "ranks ask for it",
          "decode by those who are left");
  } else {
    store = Store::memory();
  }
  MPI_Comm_free(&left);
  decode_and_compare(store, data, "all ranks again");
}

void placements() {
  const std::vector<int> racks{0, 0, 0, 0, 1, 1, 1, 2, 2, 3};
  const Placement placement(racks, 6);
  bool is_spread = true;
  for (int owner = 0; owner < placement.ranks(); ++owner) {
    std::array<int, 4> in_rack{};
    std::array<int, 10> on_rank{};
    for (std::size_t i = 0; i < 6; ++i) {
      const auto rank = static_cast<std::size_t>(placement.rank_of(owner, i));
      ++on_rank[rank];
      ++in_rack[static_cast<std::size_t>(racks[rank])];
    }
    is_spread = is_spread && *std::ranges::max_element(in_rack) <= 2;
    // The last rack has one rank, which may have to take two.
    is_spread = is_spread && *std::max_element(on_rank.begin(), on_rank.end() - 1) <= 1;
  }
  check(kAll, is_spread, "six chunks lie in four racks, at most two in each");
  const Placement rotation({0, 1, 2, 3}, 6);
  const xorloom::Codec codec("rs:k=4,m=2");
  check(kAll, survival_of(codec, rotation).ranks == 1, "six chunks on four ranks: one may be lost");
  check(kAll, rotation.rank_of(3, 2) == 1, "chunk 2 of rank 3 of 4 is at rank 1");
  const Placement apart({0, 1, 2, 3, 4, 5, 6}, 6);
  check(kAll, survival_of(codec, apart).ranks == 2, "six chunks on six of seven ranks: two");
}

int run(int argc, char** argv) {
  const std::string base = argv[1];
  const std::string name = argv[2];
  const std::vector<std::string> rest(argv + 3, argv + argc);
  if (name == "families") families(rest);
  if (name == "rounds") rounds(std::strtoull(rest.at(0).c_str(), nullptr, 10));
  if (name == "damage") damaged(base);
  if (name == "shrink") shrink();
  if (name == "refusals") {
    refusals(base);
    placements();
  }
  if (rank_in(kAll) == 0 && failures == 0) std::printf("%s: passed\n", name.c_str());
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = argc < 3 ? EXIT_FAILURE : run(argc, argv);
  MPI_Finalize();
  return status;
}
