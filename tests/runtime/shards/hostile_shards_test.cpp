#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/shards/reading_bounds.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/temporary_folder.hpp"

// Small files that would cost whoever looks at them much.

namespace xorloom {
namespace {

namespace fs = std::filesystem;

#ifdef XORLOOM_IS_SANITIZED
constexpr bool kIsMeasured = false;
#else
constexpr bool kIsMeasured = true;
#endif

/// Result and cost of reading hostile shards, measured in a child process.
struct Look {
  std::string sentence;  ///< message of the error; empty: none was thrown
  double seconds = 0;    ///< CPU time
  std::size_t mebibytes = 0;
};

std::size_t mebibytes_of(int who) {
  rusage usage{};
  REQUIRE(::getrusage(who, &usage) == 0);
  return static_cast<std::size_t>(usage.ru_maxrss) >> 10;
}

Look looked(const std::function<void()>& call) {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const std::size_t before = mebibytes_of(RUSAGE_SELF);
  const ::pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const std::string what = test::thrown_by(call).what;
    static_cast<void>(!::write(pipe[1], what.data(), what.size()));
    ::_exit(0);
  }
  ::close(pipe[1]);
  Look look;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::read(pipe[0], buffer.data(), buffer.size());
    if (got <= 0) break;
    look.sentence.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(pipe[0]);
  int status = 0;
  rusage usage{};
  REQUIRE(::wait4(child, &status, 0, &usage) == child);
  REQUIRE(WIFEXITED(status));
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  look.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  const std::size_t most = static_cast<std::size_t>(usage.ru_maxrss) >> 10;
  look.mebibytes = most > before ? most - before : 0;
  return look;
}

/// Writes one shard whose header names `spec`. Its blocks are a hole in the file.
void write_shard(const fs::path& path, const std::string& spec, std::uint32_t locations,
                 std::uint64_t block_bytes, std::uint64_t stripe_bytes) {
  ShardHeader header;
  header.locations = locations;
  header.file_bytes = stripe_bytes;
  header.stripe_bytes = stripe_bytes;
  header.block_bytes = block_bytes;
  header.last_block_bytes = block_bytes;
  header.spec = spec;
  const std::string text = test::text_of(header_text(header));
  test::write_file(path, text);
  fs::resize_file(path, shard_bytes(header) - text.size());
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

/// Writes the shards of the given locations of a code.
void write_shards(const fs::path& directory, const Code& code, std::uint64_t block_bytes,
                  std::initializer_list<std::uint32_t> locations) {
  const std::uint64_t stripe_bytes = data_capacity(code, block_bytes);
  for (const std::uint32_t location : locations) {
    ShardHeader header;
    header.location = location;
    header.locations = static_cast<std::uint32_t>(code.locations);
    header.file_bytes = header.stripe_bytes = stripe_bytes;
    header.block_bytes = header.last_block_bytes = block_bytes;
    header.pieces = pieces_of(code);
    header.spec = code.spec;
    const std::string text = test::text_of(header_text(header));
    const fs::path path = directory / std::to_string(location);
    test::write_file(path, text);
    fs::resize_file(path, shard_bytes(header) - text.size());
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
  }
}

void verify(const fs::path& directory, const ReadingBounds& bounds = {}) {
  const std::vector<fs::path> paths{directory};
  const FoundShards found = find_shards(paths);
  const OpenedSet set(found, {}, {}, bounds);
  Progress progress;
  static_cast<void>(verify_set(set, 1, progress));
  static_cast<void>(decode_set(
      set, 1, [](std::span<const std::uint8_t>) {}, progress));
}

void check_cheap(const Look& look) {
  CAPTURE(look.sentence);
  if (!kIsMeasured) return;
  CHECK(look.seconds < (test::is_emulated() ? 200 : 2));
  CHECK(look.mebibytes < 300);
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += (i == 0 ? "" : ",") + text;
  return all;
}

std::string numbers(std::size_t first, std::size_t end) {
  std::string all;
  for (std::size_t i = first; i < end; ++i) all += (i == first ? "" : ",") + std::to_string(i);
  return all;
}

Code code_of_file(const std::string& members) {
  return make_code(R"(file:{"format":"xorloom-code","version":1,)" + members + "}",
                   {.allow_non_mds = true});
}

}  // namespace

TEST_CASE("A header that names its code by a path is refused, and the path is not opened") {
  const TemporaryFolder folder;
  folder.write("secret", "{\"format\": \"what nobody should see\"}");
  for (const std::string& path : {folder / "secret", std::string("/dev/zero"), folder / "none"}) {
    fs::remove_all(folder.path() / "d");
    fs::create_directory(folder.path() / "d");
    write_shard(folder.path() / "d/0", "file:" + path, 4, 64, 64);
    const Look look = looked([&] { verify(folder.path() / "d"); });
    check_cheap(look);
    CHECK(look.sentence.find("the code is file:" + path + ", the path of a file") !=
          std::string::npos);
    CHECK(look.sentence.find("nobody") == std::string::npos);
    CHECK(look.sentence.find("No such file") == std::string::npos);
  }
}

TEST_CASE("A code of very many locations in a header costs little, whatever is missing") {
  const TemporaryFolder folder;
  const std::size_t count = 60'000;
  // Locations 0 … count - 2 hold data, the last the sum of two of them.
  const Code code = code_of_file("\"locations\":" + std::to_string(count) +
                                 ",\"promise\":0,\"data\":[" + numbers(0, count - 1) +
                                 "],\"equations\":[{\"target\":" + std::to_string(count - 1) +
                                 ",\"xor\":[0,1]}]");
  write_shards(folder.path(), code, 64, {0});
  const Look look = looked([&] { verify(folder.path()); });
  check_cheap(look);
  CHECK(look.sentence == "");
}

TEST_CASE("What a code survives is not found out for a header") {
  const TemporaryFolder folder;
  // 20 and 20 locations over 32 bits; the promise left out.
  const std::string spec =
      "file:{\"format\":\"xorloom-code\",\"version\":1,\"locations\":40,"
      "\"w\":32,\"data\":[" +
      numbers(0, 20) + "],\"matrix\":[" + repeated("[" + numbers(1'000'000, 1'000'020) + "]", 20) +
      "]}";
  write_shard(folder.path() / "0", spec, 40, 4, 80);
  const Look look = looked([&] { verify(folder.path()); });
  check_cheap(look);
  CHECK(look.sentence.find("the spec is not written canonically") != std::string::npos);
}

TEST_CASE("Blocks that are holes of gigabytes are refused, unless the bound is lifted") {
  const TemporaryFolder folder;
  const Code code = make_code("rs:k=2,m=1");
  write_shards(folder.path(), code, std::uint64_t{4} << 30, {0, 1, 2});
  const Look look = looked([&] { verify(folder.path()); });
  check_cheap(look);
  CHECK(look.sentence ==
        "a stripe of 3 blocks of 4294967296 bytes takes about 17179869184 bytes of memory, more "
        "than the 268435456 that shards may take; option allow_large lifts this bound");
}

TEST_CASE("A large matrix in a header is refused, unless the bound is lifted") {
  const TemporaryFolder folder;
  write_shard(folder.path() / "0", make_code("rs:k=3000,m=3000,w=16").spec, 6000, 2, 6000);
  const Look look = looked([&] { verify(folder.path()); });
  check_cheap(look);
  CHECK(look.sentence.find("k times m = 9000000 exceeds 4194304, the bound for a code that a shard "
                           "names; option allow_large lifts it") != std::string::npos);
  const std::vector<fs::path> paths{folder.path()};
  const FoundShards found = find_shards(paths);
  CHECK(OpenedSet(found, {}, {}, lifted_bounds()).code().locations == 6000);
}

TEST_CASE("Rebuilding so many chunks that it takes long to find out how is refused") {
  const TemporaryFolder folder;
  write_shards(folder.path(), make_code("rs:k=1600,m=1600,w=16"), 2, {7});
  const std::vector<fs::path> paths{folder.path()};
  const auto open = [&](const auto& call) {
    return looked([&] {
      const FoundShards found = find_shards(paths);
      call(OpenedSet(found, {}, {}));
    });
  };
  std::vector<std::size_t> data(1600);
  std::iota(data.begin(), data.end(), std::size_t{0});
  const Look all = open([&](const OpenedSet& set) {
    if (set.can_rebuild(set.missing())) fail(Status::kInternal, "of one chunk");
    if (set.plan(set.missing(), data)) fail(Status::kInternal, "of one chunk");
  });
  check_cheap(all);  // there are fewer equations than chunks are lost
  CHECK(all.sentence == "");
  const Look half = open([&](const OpenedSet& set) { static_cast<void>(set.plan(data, data)); });
  check_cheap(half);
  CHECK(
      half.sentence.starts_with("rebuilding 1600 lost locations of rs:k=1600,m=1600,w=16 takes "));
  CHECK(
      half.sentence.ends_with(" operations, more than the 1000000000 that shards may take; "
                              "option allow_large lifts this bound"));
  const Look one = open([&](const OpenedSet& set) { static_cast<void>(set.plan({3}, {3})); });
  check_cheap(one);
  CHECK(one.sentence == "");
}

TEST_CASE("Rebuilding from so many chunks that a plan takes long to accept is refused") {
  const TemporaryFolder folder;
  write_shards(folder.path(), make_code("rs:k=10000,m=100,w=16"), 2, {0});
  const std::vector<fs::path> paths{folder.path()};
  const auto plan_without = [&](std::size_t count) {
    std::vector<std::size_t> lost(count);
    std::iota(lost.begin(), lost.end(), std::size_t{1});
    return looked([&] {
      const FoundShards found = find_shards(paths);
      static_cast<void>(OpenedSet(found, {}, {}).plan(lost, lost));
    });
  };
  const Look many = plan_without(60);
  check_cheap(many);
  CHECK(many.sentence.starts_with("rebuilding 60 lost locations of rs:k=10000,m=100,w=16 takes "));
  const Look few = plan_without(6);
  check_cheap(few);
  CHECK(few.sentence == "");
}

TEST_CASE("Bounds are of what is read, so that a lifted one takes what the usual one refuses") {
  const TemporaryFolder folder;
  const std::string content = test::random_text(4096, 1);
  static_cast<void>(test::encode(folder.path() / "d", content, {.block_bytes = 1024}));
  ReadingBounds bounds;
  bounds.memory_bytes = 6 * 1024;  // and a seventh block
  const auto verified = [&](const ReadingBounds& with) {
    return test::thrown_by([&] { verify(folder.path() / "d", with); });
  };
  CHECK(verified(bounds).kind == Status::kUnsupported);
  CHECK(verified(bounds).says("a stripe of 6 blocks of 1024 bytes takes about 7168 bytes"));
  bounds.memory_bytes = 7 * 1024;
  CHECK(verified(bounds).what == "");
  CHECK(verified(lifted_bounds()).what == "");
  // Removes the shard of location 0, which holds data: the names of a set's shards differ only in
  // the location.
  fs::remove(
      std::ranges::min(std::vector<fs::path>(fs::directory_iterator(folder.path() / "d"), {})));
  bounds.operations = 1;
  CHECK(verified(bounds).says("rebuilding 1 lost locations of rs:k=4,m=2,w=8 takes about"));
  CHECK(verified(lifted_bounds()).what == "");
}

}  // namespace xorloom
