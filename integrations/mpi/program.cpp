#include "integrations/mpi/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

namespace xorloom::mpi {
namespace {

int rank_of_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int size_of_world() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw Error(Status::kIo, what + ' ' + path + ": " + std::strerror(errno));
}

/// The exit status of xorloom: 2 if the call was wrong, 3 if data is lost, 4 if a file was in the
/// way, 1 otherwise.
int exit_status(Status status) {
  switch (status) {
    case Status::kOk:
      return 0;
    case Status::kInvalidArgument:
    case Status::kParse:
      return 2;
    case Status::kDamaged:
      return 3;
    case Status::kIo:
      return 4;
    default:
      return 1;
  }
}

/// "3 ranks", "1 rank"
std::string counted(std::size_t number, const std::string& what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

double most_of_all(double own) {
  double most = 0;
  MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

}  // namespace

std::string with_rank(std::string text, int rank) {
  const std::string number = std::to_string(rank);
  for (std::size_t at = 0; (at = text.find("%r", at)) != std::string::npos; at += number.size())
    text.replace(at, 2, number);
  return text;
}

Route route_of(const std::string& name) {
  if (name == "direct") return nullptr;
  if (name == "star") return star;
  if (name == "tree") return tree;
  if (name == "chain") return chain;
  std::ifstream file(name);
  if (!file) {
    throw Error(
        Status::kIo,
        "the route '" + name + "' is not direct, star, tree or chain, nor a file that can be read");
  }
  std::map<int, int> parent_of;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    int rank = 0;
    int parent = 0;
    std::string more;
    if (words >> more) {
      words.seekg(0);
      more.clear();
      if (!(words >> rank >> parent) || words >> more) {
        throw Error(Status::kParse,
                    fmt::format("{}:{}: '{}' is not a rank and its parent", name, number, line));
      }
      parent_of[rank] = parent;
    }
  }
  return [parent_of](const RepairSites& sites) {
    std::vector<int> parents;
    for (const int helper : sites.helpers) {
      const auto found = parent_of.find(helper);
      // Ranks that the file does not name send to the root.
      parents.push_back(found == parent_of.end() ? sites.root : found->second);
    }
    return parents;
  };
}

std::string first_of_all(const std::string& own) {
  const int mine = own.empty() ? INT_MAX : rank_of_world();
  int first = INT_MAX;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == INT_MAX) return {};
  auto bytes = static_cast<int>(own.size());
  MPI_Bcast(&bytes, 1, MPI_INT, first, MPI_COMM_WORLD);
  std::string sentence = own;
  sentence.resize(static_cast<std::size_t>(bytes));
  MPI_Bcast(sentence.data(), bytes, MPI_CHAR, first, MPI_COMM_WORLD);
  return sentence;
}

InputFile::InputFile(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("cannot open", path);
  struct stat state {};
  if (::fstat(file, &state) != 0 || !S_ISREG(state.st_mode)) {
    ::close(file);
    throw Error(Status::kIo, path + " is not a file");
  }
  bytes_ = static_cast<std::size_t>(state.st_size);
  permissions_ = state.st_mode & 0777U;
  if (bytes_ != 0) data_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (data_ == MAP_FAILED) fail("cannot read", path);
}

InputFile::~InputFile() {
  if (bytes_ != 0) ::munmap(data_, bytes_);
}

void write_file(const std::string& path, std::span<const std::uint8_t> bytes,
                unsigned permissions) {
  const std::string pending = path + ".xorloom-" + std::to_string(::getpid());
  const int file =
      ::open(pending.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions | 0600U);
  if (file < 0) fail("cannot write", pending);
  bool is_written = true;
  while (is_written && !bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    is_written = put >= 0;
    if (is_written) bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  is_written = is_written && ::fsync(file) == 0;
  ::close(file);
  if (is_written && ::rename(pending.c_str(), path.c_str()) == 0) return;
  const int why = errno;
  ::unlink(pending.c_str());
  errno = why;
  fail("cannot write", path);
}

int report(const Outcome& outcome, bool quiet) {
  if (outcome.status != Status::kOk) {
    if (rank_of_world() == 0)
      std::fprintf(stderr, "xorloom-mpi: error: %s\n", outcome.sentence.c_str());
    return exit_status(outcome.status);
  }
  if (quiet) return 0;
  const double total = most_of_all(outcome.times.total);
  const double coding = most_of_all(outcome.times.coding);
  const double storing = most_of_all(outcome.times.storing);
  const double waiting = most_of_all(outcome.times.waiting);
  std::uint64_t sent = 0;
  MPI_Allreduce(&outcome.times.bytes_sent, &sent, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (rank_of_world() == 0) {
    fmt::print("{:.3f} s; at most {:.3f} s of coding, {:.3f} s of files and {:.3f} s of waiting\n",
               total, coding, storing, waiting);
    fmt::print("{} bytes crossed between ranks\n", sent);
  }
  return 0;
}

int print(const State& state) {
  const bool is_lost = std::ranges::any_of(
      state.sets, [](const SetState& set) { return !set.missing.empty() && !set.recoverable; });
  if (rank_of_world() == 0) {
    std::uint64_t bytes = 0;
    for (const SetState& set : state.sets) bytes += set.bytes;
    fmt::print("{}\n{}, {} bytes, generation {}\n{}", state.spec,
               counted(state.sets.size(), "rank"), bytes, state.generation, state.text());
    if (state.is_whole()) fmt::print("no chunk is gone\n");
  }
  if (is_lost) return 3;
  return state.is_whole() ? 0 : 1;
}

void print(const Survival& survival, const Options& options) {
  if (rank_of_world() != 0) return;
  const auto any = [](std::size_t number, const std::string& what) {
    return number == 0 ? "no loss of a " + what : "the loss of any " + counted(number, what);
  };
  fmt::print("up to {} of a set on one rank; survives {}", counted(survival.most_per_rank, "chunk"),
             any(survival.ranks, "rank"));
  if (options.domains != Domains::kRanks)
    fmt::print(", and {}",
               any(survival.domains, options.domains == Domains::kHosts ? "host" : "domain"));
  fmt::print("\n");
}

void print(const Phases& phases, const std::string& spec, std::size_t bytes) {
  if (rank_of_world() != 0) return;
  fmt::print(R"({{"ranks":{},"spec":"{}","bytes":{},"sent":{},"messages":{},)", size_of_world(),
             spec, bytes, phases.bytes, phases.messages);
  fmt::print(R"("coding":{:.6f},"exchange":{:.6f},"both":{:.6f}}})"
             "\n",
             phases.coding, phases.exchange, phases.both);
}

}  // namespace xorloom::mpi
