#include "runtime/sets/encode_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_name.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using test::EncodeCall;
using test::random_text;
using test::shard_names;
using test::ShardImage;
using test::thrown_by;

FileIdentity identity_of(const fs::path& path) { return OpenFile(path).identity(); }

FoundShards found_in(const fs::path& directory) { return find_shards({&directory, 1}); }

/// Encodes what comes to an end with an exception after some calls.
std::string thrown_while_reading(const fs::path& directory, int calls, const EncodeCall& call,
                                 int threads) {
  Options options;
  options.threads = threads;
  Progress progress;
  const auto read = [calls](std::span<std::uint8_t> to) mutable -> std::size_t {
    if (calls-- == 0) throw std::runtime_error("no more of it");
    std::ranges::fill(to, std::uint8_t{7});
    return to.size();
  };
  try {
    encode_set({.read = read,
                .directories = {directory},
                .code = make_code(call.spec),
                .options = options,
                .replace = call.replace,
                .block_bytes = call.block_bytes},
               progress);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

/// Makes a shard be of a later version of the format.
void make_newer(const fs::path& path) {
  test::write_file(path, test::read_file(path).replace(0, 32, test::later_header()));
}

}  // namespace

TEST_CASE("A set is n shards with one header, named after it, and nothing else") {
  const TemporaryFolder folder;
  const std::string content = random_text(150, 1);
  const EncodedSet encoded = test::encode(folder / "d", content);
  const ShardHeader& header = encoded.header;
  CHECK(folder.names("d") == shard_names(header));
  CHECK(header.generation == 1);
  CHECK(header.locations == 6);
  CHECK(header.file_bytes == 150);
  CHECK(header.block_bytes == 16);
  CHECK(header.stripe_bytes == 64);
  CHECK(header.last_block_bytes == 6);
  CHECK(header.spec == make_code("rs:k=4,m=2").spec);
  CHECK(header.optional_flags == 0);
  CHECK((header_bytes(header) % 256 == 0 && header.extra.size() >= 64));  // room for another spec
  CHECK(std::ranges::all_of(header.extra, [](std::uint8_t byte) { return byte == 0; }));
  CHECK(encoded.replaced.empty());
  CHECK(encoded.strays.empty());
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < 6; ++i) {
    const ShardFile shard = open_shard(test::shard_path(folder / "d", header, i));
    CHECK(shard.kind == ShardFile::Kind::kShard);
    CHECK(shard.defects.empty());
    CHECK(shard.header.location == i);
    CHECK(same_set(shard.header, header));
    bytes += shard.file.bytes();
  }
  CHECK(encoded.bytes_written == bytes);
}

TEST_CASE("A set id is drawn for each set") {
  const TemporaryFolder folder;
  const SetId first = test::encode(folder / "a", "x").header.set;
  CHECK(test::encode(folder / "b", "x").header.set != first);
}

TEST_CASE("A block is its location's chunk of a stripe, coded by itself") {
  for (const char* const spec : {"rs:k=4,m=2", "cauchy-good:k=3,m=2,w=3,packet_bytes=8"}) {
    const Codec codec(spec);
    const std::size_t block_bytes = 2 * codec.chunk_multiple();
    const Info info = codec.info();
    for (const std::size_t stripes_and_rest : {0U, 1U, 7U}) {
      const std::size_t size = 2 * info.k * block_bytes + stripes_and_rest;
      const TemporaryFolder folder;
      const std::string content = random_text(size, size);
      const ShardHeader header =
          test::encode(folder.path(), content, {.spec = spec, .block_bytes = block_bytes}).header;
      CAPTURE(spec);
      CAPTURE(size);
      REQUIRE(num_blocks(header) == (stripes_and_rest == 0 ? 2 : 3));
      for (std::uint64_t b = 0; b < num_blocks(header); ++b) {
        const std::size_t chunk_bytes = payload_bytes(header, b);
        std::vector<std::vector<std::uint8_t>> chunks(info.locations);
        std::vector<std::uint8_t*> pointers;
        const std::string stripe = content.substr(b * header.stripe_bytes, header.stripe_bytes);
        for (std::size_t i = 0; i < info.locations; ++i) {
          const std::size_t begin = std::min(stripe.size(), i * chunk_bytes);
          chunks[i] = test::bytes_of(stripe.substr(begin, i < info.k ? chunk_bytes : 0));
          chunks[i].resize(chunk_bytes);
          pointers.push_back(chunks[i].data());
        }
        REQUIRE(codec.encode(pointers.data(), chunk_bytes) == Status::kOk);
        for (std::uint32_t i = 0; i < info.locations; ++i) {
          const ShardImage image(test::shard_path(folder.path(), header, i));
          CHECK(image.block(b).substr(kFrameBytes) == test::text_of(chunks[i]));
          const Frame frame = block_frame(image.header, b, chunks[i]);
          CHECK(image.block(b).substr(0, kFrameBytes) == test::text_of(frame));
        }
      }
    }
  }
}

TEST_CASE("The last block is no longer than the rest of the file takes") {
  struct Expected {
    std::size_t size;
    std::uint64_t blocks, last;
  };
  for (const Expected& e :
       {Expected{0, 0, 0}, Expected{1, 1, 1}, Expected{4, 1, 1}, Expected{5, 1, 2},
        Expected{63, 1, 16}, Expected{64, 1, 16}, Expected{65, 2, 1}, Expected{127, 2, 16},
        Expected{128, 2, 16}, Expected{129, 3, 1}}) {
    const TemporaryFolder folder;
    const std::string content = random_text(e.size, 3);
    const ShardHeader header = test::encode(folder.path(), content).header;
    CAPTURE(e.size);
    CHECK(header.file_bytes == e.size);
    CHECK(num_blocks(header) == e.blocks);
    CHECK(header.last_block_bytes == e.last);
    CHECK(fs::file_size(test::shard_path(folder.path(), header, 0)) == shard_bytes(header));
    CHECK(test::decoded({folder.path()}) == content);
  }
}

TEST_CASE("A block with its frame usually takes 64 KiB, and a stripe 16 MiB at most") {
  for (const char* const spec :
       {"rs:k=4,m=2", "rs:k=1,m=1", "cauchy-good:k=10,m=4", "cauchy:k=5,m=2,w=3",
        "cauchy-good:k=3,m=1,packet_bytes=4096", "rs:k=250,m=5", "rs:k=300,m=2,w=16"}) {
    const Code code = make_code(spec, {.allow_non_mds = true});
    const std::uint64_t bytes = usual_block_bytes(code);
    const std::uint64_t multiple = chunk_multiple(code);
    const auto fits = [&](std::uint64_t b) {
      return b + kFrameBytes <= 65536 && b * code.locations <= (std::uint64_t{1} << 24);
    };
    CAPTURE(spec);
    CHECK(bytes % multiple == 0);
    CHECK((fits(bytes) || bytes == multiple));
    CHECK(!fits(bytes + multiple));
  }
  CHECK(usual_block_bytes(make_code("rs:k=4,m=2")) == 65520);
  const Code coarse = make_code("cauchy-good:k=3,m=1,packet_bytes=1048576");
  CHECK(usual_block_bytes(coarse) == chunk_multiple(coarse));
}

TEST_CASE("The usual block size is taken if none is asked for") {
  const TemporaryFolder folder;
  const std::string content = random_text(70000 * 4, 5);
  const ShardHeader header = test::encode(folder.path(), content, {.block_bytes = 0}).header;
  CHECK(header.block_bytes == 65520);
  CHECK(num_blocks(header) == 2);
  CHECK(test::decoded({folder.path()}) == content);
}

TEST_CASE("A directory that holds a set is refused unless that is to be replaced") {
  const TemporaryFolder folder;
  const fs::path d = folder / "d";
  const ShardHeader first = test::encode(d, "first").header;
  test::write_file(d / "file", "of the user's");
  const auto before = test::snapshot(d);
  const test::Thrown thrown = thrown_by([&] { test::encode(d, "second"); });
  CHECK(thrown.kind == Status::kInvalidArgument);
  CHECK(thrown.says(to_string(first.set)));
  CHECK(thrown.says("option replace"));
  CHECK(test::snapshot(d) == before);
  const EncodedSet second = test::encode(d, "second", {.replace = true});
  CHECK(second.header.generation == 2);
  CHECK(second.header.set != first.set);
  REQUIRE(second.replaced.size() == 1);
  CHECK(second.replaced[0].find(to_string(first.set)) != std::string::npos);
  std::vector<std::string> expected = shard_names(second.header);
  expected.insert(expected.begin(), "file");
  CHECK(folder.names("d") == expected);
  CHECK(test::read_file(d / "file") == "of the user's");
  CHECK(test::decoded({d}) == "second");
}

TEST_CASE("One shard alone makes a directory hold a set") {
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "content").header;
  for (std::uint32_t i = 0; i < 5; ++i) fs::remove(test::shard_path(folder.path(), header, i));
  fs::rename(test::shard_path(folder.path(), header, 5), folder / "renamed");
  CHECK(thrown_by([&] { test::encode(folder.path(), "new"); }).kind == Status::kInvalidArgument);
  CHECK(test::encode(folder.path(), "new", {.replace = true}).header.generation == 2);
  CHECK(!fs::exists(folder / "renamed"));
}

TEST_CASE("The generation is one more than the highest there, and all sets are replaced") {
  const TemporaryFolder folder;
  test::encode(folder / "a", "first");
  for (int i = 0; i < 3; ++i) test::encode(folder / "b", "second", {.replace = true});
  for (const auto& entry : fs::directory_iterator(folder / "b")) {
    fs::rename(entry.path(), folder.path() / "a" / entry.path().filename());
  }
  REQUIRE(found_in(folder / "a").sets.size() == 2);
  const EncodedSet encoded = test::encode(folder / "a", "third", {.replace = true});
  CHECK(encoded.header.generation == 4);
  CHECK(encoded.replaced.size() == 2);
  CHECK(folder.names("a") == shard_names(encoded.header));
}

TEST_CASE("There is no generation after the last, and nothing is changed then") {
  const TemporaryFolder folder;
  ShardHeader header = test::encode(folder.path(), "content").header;
  ShardImage image(test::shard_path(folder.path(), header, 0));
  image.header.generation = std::numeric_limits<std::uint64_t>::max();
  image.set_first_header(image.header);
  image.set_last_header(image.header);
  image.save();
  const auto before = test::snapshot(folder.path());
  const test::Thrown thrown =
      thrown_by([&] { test::encode(folder.path(), "new", {.replace = true}); });
  CHECK(thrown.kind != Status::kOk);
  CHECK(test::snapshot(folder.path()) == before);
}

TEST_CASE("What is or was a shard of no set is refused, and stays beside a new set") {
  const TemporaryFolder folder;
  const ShardHeader gone = test::encode(folder.path(), "content").header;
  for (std::uint32_t i = 3; i < 6; ++i) fs::remove(test::shard_path(folder.path(), gone, i));
  ShardImage conflicting(test::shard_path(folder.path(), gone, 0));
  ShardHeader other = conflicting.header;
  other.location = 2;
  conflicting.set_last_header(other);
  conflicting.save();
  test::write_file(test::shard_path(folder.path(), gone, 1), "a wreck");
  make_newer(test::shard_path(folder.path(), gone, 2));
  const auto before = test::snapshot(folder.path());
  REQUIRE(before.size() == 3);
  REQUIRE(found_in(folder.path()).sets.empty());
  REQUIRE(found_in(folder.path()).strays.size() == 3);
  CHECK(thrown_by([&] { test::encode(folder.path(), "new"); }).kind == Status::kInvalidArgument);
  CHECK(test::snapshot(folder.path()) == before);
  const EncodedSet encoded = test::encode(folder.path(), "new", {.replace = true});
  CHECK(encoded.strays.size() == 3);
  CHECK(encoded.replaced.empty());
  const auto after = test::snapshot(folder.path());
  CHECK(after.size() == 9);
  for (const auto& file : before) CHECK(after.at(file.first) == file.second);
  CHECK(test::decoded({folder.path()}) == "new");
}

TEST_CASE("Wrecks of a set go with it, and shards of later versions and conflicting ones do not") {
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "content").header;
  const fs::path wreck = test::shard_path(folder.path(), header, 1);
  const fs::path newer = test::shard_path(folder.path(), header, 2);
  test::write_file(wreck, "a wreck");
  make_newer(newer);
  const std::string newer_bytes = test::read_file(newer);
  const EncodedSet encoded = test::encode(folder.path(), "new", {.replace = true});
  CHECK(!fs::exists(wreck));
  CHECK(test::read_file(newer) == newer_bytes);
  REQUIRE(encoded.strays.size() == 1);
  CHECK(encoded.strays[0].path == newer);
  CHECK(encoded.strays[0].kind == ShardFile::Kind::kNewer);
}

TEST_CASE("What an ended program left over is removed, what it left incomplete goes with its set") {
  const TemporaryFolder folder;
  const SetId nobody = draw_set_id();
  const fs::path left = hidden_name_beside(folder.path() / shard_name(nobody, 0, 3));
  test::write_file(left, std::string(50, '\0'));
  folder.write(".file.xorloom-0123456789abcdef", "of another kind");
  const ShardHeader header = test::encode(folder.path(), "content").header;
  CHECK(!fs::exists(left));
  CHECK(folder.read(".file.xorloom-0123456789abcdef") == "of another kind");

  const fs::path incomplete = hidden_name_beside(test::shard_path(folder.path(), header, 0));
  test::write_file(incomplete, std::string(50, '\0'));
  const fs::path pending = hidden_name_beside(test::shard_path(folder.path(), header, 1));
  fs::rename(test::shard_path(folder.path(), header, 1), pending);
  CHECK(thrown_by([&] { test::encode(folder.path(), "new"); }).kind == Status::kInvalidArgument);
  CHECK(fs::exists(incomplete));
  CHECK(fs::exists(pending));
  CHECK(test::decoded({folder.path()}) == "content");
  const EncodedSet encoded = test::encode(folder.path(), "new", {.replace = true});
  CHECK(!fs::exists(incomplete));
  CHECK(!fs::exists(pending));
  CHECK(folder.names().size() == 7);
}

TEST_CASE("A file that cannot be read to its end leaves the directory as it was") {
  for (const int threads : {1, 2, 4}) {
    for (const int calls : {0, 1, 2, 9, 40}) {
      const TemporaryFolder folder;
      fs::create_directory(folder / "empty");
      test::encode(folder / "full", random_text(1000, 1));
      const auto before = test::snapshot(folder / "full");
      CAPTURE(threads);
      CAPTURE(calls);
      CHECK(thrown_while_reading(folder / "none", calls, {}, threads) == "no more of it");
      CHECK(thrown_while_reading(folder / "empty", calls, {}, threads) == "no more of it");
      CHECK(thrown_while_reading(folder / "full", calls, {.replace = true}, threads) ==
            "no more of it");
      CHECK(folder.names() == std::vector<std::string>{"empty", "full"});
      CHECK(folder.names("empty").empty());
      CHECK(test::snapshot(folder / "full") == before);
    }
  }
}

TEST_CASE("A name that is taken meanwhile is not replaced, and the set that was there stays") {
  for (const std::uint32_t location : {0U, 3U, 5U}) {
    const TemporaryFolder folder;
    test::encode(folder.path(), "first");
    const auto before = test::snapshot(folder.path());
    std::string taken;
    const auto read = [&](std::span<std::uint8_t> to) -> std::size_t {
      for (const std::string& name : folder.names()) {
        const auto parsed = parse_shard_name(name);
        if (!parsed || !parsed->is_temporary) continue;
        taken = shard_name(parsed->set, location, 6);
      }
      folder.write(taken, "of another program");
      std::ranges::fill(to, std::uint8_t{1});
      return 1;
    };
    Progress progress;
    const test::Thrown thrown = thrown_by([&] {
      encode_set({.read = read,
                  .directories = {folder.path()},
                  .code = make_code("rs:k=4,m=2"),
                  .options = {},
                  .replace = true},
                 progress);
    });
    CAPTURE(location);
    CHECK(thrown.kind == Status::kIo);
    CHECK(thrown.says(taken));
    auto expected = before;
    expected[taken] = "of another program";
    CHECK(test::snapshot(folder.path()) == expected);
  }
}

TEST_CASE("A shard is not encoded over itself") {
  const TemporaryFolder folder;
  const fs::path d = folder / "d";
  const ShardHeader header = test::encode(d, "content").header;
  fs::create_hard_link(test::shard_path(d, header, 2), folder / "link");
  const auto before = test::snapshot(d);
  for (const fs::path& input : {test::shard_path(d, header, 0), test::shard_path(d, header, 5),
                                fs::path(folder / "link")}) {
    EncodeCall call{.replace = true};
    call.inputs = {identity_of(input)};
    CAPTURE(input.string());
    const test::Thrown thrown = thrown_by([&] { test::encode(d, test::read_file(input), call); });
    CHECK(thrown.kind == Status::kInvalidArgument);
    CHECK(thrown.says(d.string()));
    CHECK(test::snapshot(d) == before);
  }
  // A copy of a shard, a file beside them: those stay.
  fs::copy_file(test::shard_path(d, header, 0), folder / "copy");
  test::write_file(d / "beside", "beside");
  EncodeCall call{.replace = true};
  call.inputs = {identity_of(d / "beside")};
  test::encode(d, "beside", call);
  CHECK(test::read_file(d / "beside") == "beside");
  call.inputs = {identity_of(folder / "copy")};
  test::encode(d, test::read_file(folder / "copy"), call);
  CHECK(test::decoded({d}) == test::read_file(folder / "copy"));
}

TEST_CASE("What replacing would remove besides shards is not encoded over itself either") {
  for (const bool is_incomplete : {false, true}) {
    const TemporaryFolder folder;
    const fs::path d = folder / "d";
    const ShardHeader header = test::encode(d, "content").header;
    const fs::path shard = test::shard_path(d, header, 1);
    const fs::path input = is_incomplete ? hidden_name_beside(shard) : shard;
    test::write_file(input, "a wreck");
    EncodeCall call{.replace = true};
    call.inputs = {identity_of(input)};
    CAPTURE(is_incomplete);
    CHECK(thrown_by([&] { test::encode(d, "a wreck", call); }).kind == Status::kInvalidArgument);
    CHECK(fs::exists(input));
  }
}

TEST_CASE("A file that is left over is not removed while it is what is encoded") {
  const TemporaryFolder folder;
  const fs::path left = hidden_name_beside(folder.path() / shard_name(draw_set_id(), 0, 3));
  test::write_file(left, "left over");
  EncodeCall call;
  call.inputs = {identity_of(left)};
  static_cast<void>(thrown_by([&] { test::encode(folder.path(), "left over", call); }));
  CHECK(fs::exists(left));
}

TEST_CASE("Wrong calls change nothing and make no directory") {
  const TemporaryFolder folder;
  folder.write("file", "");
  const auto kind = [&](const fs::path& directory, const EncodeCall& call) {
    const Status status = thrown_by([&] { test::encode(directory, "content", call); }).kind;
    CHECK(folder.names() == std::vector<std::string>{"file"});
    fs::remove_all(folder / "d");  // so that one flaw does not hide the next
    return status;
  };
  EncodeCall threads;
  threads.options.threads = -1;
  EncodeCall many;
  many.options.threads = 1025;
  EncodeCall executor;
  executor.options.executor = static_cast<Executor>(7);
  CHECK(kind(folder / "d", {.spec = "none:k=1"}) == Status::kInvalidArgument);
  CHECK(kind(folder / "d", {.spec = ""}) != Status::kOk);
  CHECK(kind(folder / "d", threads) == Status::kInvalidArgument);
  CHECK(kind(folder / "d", many) == Status::kInvalidArgument);
  CHECK(kind(folder / "d", executor) == Status::kInvalidArgument);
  CHECK(kind(folder / "d", {.spec = "cauchy-good:k=4,m=2,w=3,packet_bytes=8", .block_bytes = 47}) ==
        Status::kInvalidArgument);
  CHECK(kind(folder / "d", {.block_bytes = kMaxBlockBytes + 1}) == Status::kInvalidArgument);
  CHECK(kind(folder / "file", {}) == Status::kIo);
  CHECK(kind(folder / "none/d", {}) == Status::kIo);
}

TEST_CASE("Progress says how much of the file is coded") {
  const TemporaryFolder folder;
  const std::string content = random_text(1000, 1);
  Progress progress;
  std::vector<std::uint64_t> seen;
  const auto next = test::reader_of(content);
  const auto read = [&](std::span<std::uint8_t> to) {
    CHECK(progress.phase.load() == std::string("encoding"));
    seen.push_back(progress.done);
    return next(to);
  };
  encode_set({.read = read,
              .directories = {folder.path()},
              .code = make_code("rs:k=4,m=2"),
              .options = {},
              .block_bytes = 16},
             progress);
  CHECK(seen.front() == 0);
  CHECK(seen.back() == 960);
  CHECK(std::ranges::is_sorted(seen));
  CHECK(progress.phase.load() == std::string("syncing"));
}

TEST_CASE("All names of a replaced shard go") {
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "first").header;
  fs::create_hard_link(test::shard_path(folder.path(), header, 0), folder / "a second name");
  const EncodedSet encoded = test::encode(folder.path(), "second", {.replace = true});
  CHECK(folder.names() == shard_names(encoded.header));
}

TEST_CASE(
    "A code that was not proved is taken if that is asked for, and its sets are read without "
    "asking") {
  const TemporaryFolder folder;
  EncodeCall call{.spec = "isa-vandermonde:k=22,m=4"};
  CHECK(thrown_by([&] { test::encode(folder / "d", "content", call); }).kind ==
        Status::kInvalidArgument);
  CHECK(folder.names().empty());
  call.options.allow_non_mds = true;
  const ShardHeader header = test::encode(folder / "d", "content", call).header;
  for (const std::uint32_t i : {0U, 1U, 22U}) fs::remove(test::shard_path(folder / "d", header, i));
  CHECK(test::decoded({folder / "d"}) == "content");
  CHECK(test::repair({folder / "d"}).rebuilt.size() == 3);
}

}  // namespace xorloom
