#include <doctest/doctest.h>
#include <fmt/format.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr const char* kCode = "cauchy-good:k=10,m=4,w=4";

TEST_CASE("The atlas of 10 + 4 at w = 8 has 1470 patterns and keeps its size") {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  const Outcome made = xorloom({"atlas", "cauchy-good:k=10,m=4,w=8", "-o", path});
  REQUIRE(made.status == 0);
  CHECK(made.out.empty());
  CHECK(made.err.starts_with(
      fmt::format("compiled 1470 patterns and encoding into {}: 1460 programs, ", path)));
  CHECK(std::filesystem::file_size(path) < 1'500'000);
  CHECK(folder.names() == std::vector<std::string>{"a"});
  const Outcome info = xorloom({"info", path});
  CHECK(info.status == 0);
  CHECK(
      info.out.starts_with("atlas     cauchy-good:k=10,m=4,w=8,poly=0x11d\n"
                           "effort    fast, seed 1\n"
                           "patterns  1470, up to 4 of 14 locations lost\n"));
  CHECK(has(info.out, "all checksums hold\n"));
  CHECK(has(info.out, "\n4         1001 "));
}

void check_use_of_atlas(const std::string& code) {
  CAPTURE(code);
  const TemporaryFolder folder;
  const std::string content = random_bytes(300'000, 1);
  write_file(folder / "file", content);
  const std::string atlas = folder / "a";
  REQUIRE(xorloom({"atlas", code, "-o", atlas}).status == 0);
  const auto damaged = [&] {
    std::string bytes = read_file(atlas);
    const auto number = [&](std::size_t at) {
      std::uint32_t value = 0;
      std::memcpy(&value, bytes.data() + at, sizeof value);
      return std::size_t{value};
    };
    // Behind the header, the spec, the index and the table.
    const std::size_t records = 80 + (number(12) + 7) / 8 * 8 + 16 * (number(64) + number(72)) + 8;
    for (std::size_t at = records; at < bytes.size(); at += 20) bytes[at] ^= 1;
    return bytes;
  }();
  for (const std::string how : {"whole", "damaged"}) {
    CAPTURE(how);
    if (how == "damaged") write_file(atlas, damaged);
    const std::string shards = folder / how;
    Outcome done =
        xorloom({"encode", folder / "file", "-o", shards, "--code", code, "--atlas", atlas});
    REQUIRE(done.status == 0);
    CHECK(has(done.err, "is damaged: 1 of its programs") == (how == "damaged"));
    REQUIRE(shell("rm *-01.shard *-03.shard *-12.shard", shards).status == 0);
    done = xorloom({"decode", shards, "-o", folder / "back", "--atlas", atlas});
    CHECK(done.status == 0);
    CHECK(read_file(folder / "back") == content);
    done = xorloom({"repair", shards, "--atlas", atlas});
    CHECK(done.status == 0);
    CHECK(has(done.err, "is damaged: ") == (how == "damaged"));
    CHECK(xorloom({"verify", shards}).status == 0);
  }
  const Outcome info = xorloom({"info", atlas});
  CHECK(info.status == 1);
  CHECK(has(info.err, "records of " + atlas + " are damaged"));
}

TEST_CASE("Files are encoded, repaired and given back by an atlas, a damaged one being named") {
  check_use_of_atlas(kCode);
  check_use_of_atlas("rs:k=10,m=4");
}

TEST_CASE("info on an atlas of words has XORs and multiplications, and report compares its sets") {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  REQUIRE(xorloom({"atlas", "rs:k=4,m=1", "-o", path}).status == 0);
  const Outcome info = xorloom({"info", path});
  CHECK(info.status == 0);
  CHECK(has(info.out, "\nencoding  3 XORs, 0 multiplications\n"));
  CHECK(has(info.out, "\nlost  patterns  least  median  most  least  median  most  rebuilt\n"));
  CHECK_FALSE(has(info.out, "AVX-512"));
  // Machine code decodes by elimination, kernels by rows.
  REQUIRE(xorloom({"atlas", "rs:k=4,m=2", "-o", path}).status == 0);
  const Outcome two = xorloom({"info", path});
  CHECK(has(two.out, "\n2           15      6       6     6      3       8     8 "));
  CHECK(has(two.out, "\n2           15      6       6     6      3       3     8 "));
  REQUIRE(xorloom({"atlas", "clay:k=4,m=2", "-o", path}).status == 0);
  const Outcome both = xorloom({"info", path});
  CHECK(has(both.out,
            "\nencoding   88 XORs, 64 multiplications\n"
            "  AVX-512  72 XORs, 48 multiplications\n"));
  for (std::size_t at = 0; at < both.out.size();) {
    const std::size_t end = both.out.find('\n', at);
    CHECK(end - at <= 80);
    at = end + 1;
  }
  const Outcome report =
      xorloom({"report", "clay:k=4,m=2", "--over", "symbols", "--atlas", path, "--erase", "1"});
  CHECK(report.status == 0);
  const Outcome bits = xorloom({"report", "clay:k=4,m=2", "--atlas", path});
  CHECK(bits.status == 2);
  CHECK(has(bits.err, path + " holds programs over symbols; add --over symbols"));
}

TEST_CASE("A wrong call of atlas says what is wrong with it") {
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  const Outcome many = xorloom({"atlas", "cauchy-good:k=100,m=5", "-o", path});
  CHECK(many.status == 2);
  CHECK(has(many.err, "can be lost in more than 1048576 ways"));
  CHECK(xorloom({"atlas", kCode}).status == 2);
  CHECK(xorloom({"atlas", kCode, "-o", "-"}).status == 2);
  CHECK(xorloom({"atlas", kCode, "-o", path, "--effort", "max"}).status == 2);
  CHECK(xorloom({"atlas", kCode, "-o", path, "--effort", "max", "--seconds", "1"}).status == 2);
  CHECK(xorloom({"atlas", kCode, "-o", path, "--tries", "1"}).status == 2);
  folder.write("mine", "a file of mine");
  const Outcome taken = xorloom({"atlas", "parity:k=3", "-o", folder / "mine"});
  CHECK(taken.status == 2);
  CHECK(has(taken.err, "already exists and is not an atlas, so it is not replaced"));
  CHECK(folder.read("mine") == "a file of mine");
  REQUIRE(xorloom({"atlas", "parity:k=3", "-o", path}).status == 0);
  const Outcome other =
      xorloom({"encode", folder / "mine", "-o", folder / "d", "--code", kCode, "--atlas", path});
  CHECK(other.status == 2);
  CHECK(has(other.err, path + " is an atlas of parity:k=3, not of cauchy-good:k=10,m=4,w=4"));
  CHECK(folder.names() == std::vector<std::string>{"a", "mine"});
  CHECK(xorloom({"bench", "parity:k=3", "--explain", "--atlas", path}).status == 2);
}

TEST_CASE("An atlas whose making was killed or ended goes on, and comes to the same") {
  const TemporaryFolder folder;
  REQUIRE(xorloom({"atlas", kCode, "-o", folder / "whole"}).status == 0);
  const std::string part = folder / "a.part";
  for (const int signal : {SIGKILL, SIGTERM, SIGINT}) {
    CAPTURE(signal);
    const auto has_begun = [&part] {
      std::error_code none;
      const auto bytes = std::filesystem::file_size(part, none);
      return !none && bytes > 20'000;
    };
    const Outcome ended =
        xorloom_ended({"atlas", kCode, "-o", folder / "a"}, {signal, {}, has_begun});
    REQUIRE(ended.status != 0);
    CHECK(ended.status == (signal == SIGKILL ? -SIGKILL : 4));
    if (signal != SIGKILL) CHECK(has(ended.err, "run the same command to continue"));
    CHECK(folder.names() == std::vector<std::string>{"a.part", "whole"});
    const Outcome other = xorloom({"atlas", kCode, "-o", folder / "a", "--seed", "2"});
    CHECK(other.status == 2);
    CHECK(has(other.err, "the beginning of an atlas of another code"));
    const Outcome done = xorloom({"atlas", kCode, "-o", folder / "a"});
    CHECK(done.status == 0);
    CHECK(has(done.err, " were already there"));
    CHECK(folder.read("a") == folder.read("whole"));
    CHECK(folder.names() == std::vector<std::string>{"a", "whole"});
    std::filesystem::remove(folder / "a");
  }
}

}  // namespace
TEST_CASE("info says the tries of a search as atlas takes them") {
  const TemporaryFolder folder;
  REQUIRE(
      xorloom({"atlas", "cauchy-good:2,1", "-o", folder / "a", "--effort", "max", "--tries", "5"})
          .status == 0);
  CHECK(has(xorloom({"info", folder / "a"}).out, "effort    max, 5 tries, seed 1\n"));
}

}  // namespace xorloom::test
