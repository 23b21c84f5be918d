#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/subsets.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

using Arguments = std::vector<std::string>;

Arguments encoding(const std::string& file, const std::string& directory, const std::string& spec,
                   const Arguments& more = {}) {
  Arguments arguments{"encode", file, "-o", directory, "--raw", "--code", spec};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Arguments decoding(const std::string& directory, const std::string& file, const std::string& spec,
                   std::size_t length, const Arguments& more = {}) {
  Arguments arguments{
      "decode", directory, "-o", file, "--raw", "--code", spec, "--length", std::to_string(length)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

/// Encodes, and decodes with every set of at most m of the n locations missing. With `shares` > 1 a
/// length takes every `shares`-th set, and the next length others; with XORLOOM_TEST_WHOLE it takes
/// all sets.
void check_all_losses(const std::string& spec, std::size_t n, std::size_t m, std::size_t length,
                      std::size_t shares = 1) {
  CAPTURE(spec);
  CAPTURE(length);
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  const std::string content = random_bytes(length, 1);
  write_file(file, content);
  REQUIRE(xorloom(encoding(file, folder / "whole", spec)).status == 0);
  std::size_t turn = length;
  for (const std::vector<std::size_t>& lost : sample_if_sanitized(subsets(n, m), 5)) {
    if (turn++ % shares != 0 && !tries_all()) continue;
    CAPTURE(fmt::format("{}", fmt::join(lost, ",")));
    const std::string chunks = folder / "chunks";
    std::filesystem::copy(folder / "whole", chunks);
    for (const std::size_t location : lost) {
      std::filesystem::remove(chunks + "/" + std::to_string(location));
    }
    const Outcome outcome = xorloom(decoding(chunks, folder / "back", spec, length));
    CHECK(outcome.status == 0);
    CHECK(outcome.out.empty());
    CHECK((read_file(folder / "back") == content));
    std::filesystem::remove_all(chunks);
  }
}

}  // namespace

TEST_CASE("A file comes back from its chunks after any loss the code survives, whatever its size") {
  const std::string spec = "cauchy:k=3,m=2,w=3,packet_bytes=8";  // a chunk multiple is 24 bytes
  for (const std::size_t length : {0U, 1U, 71U, 72U, 73U, 1440U})
    check_all_losses(spec, 5, 2, length, 3);
}

TEST_CASE("A file comes back from chunks of words as well") {
  check_all_losses("rs:k=3,m=2", 5, 2, 1001);
  check_all_losses("rs:k=2,m=1,w=16", 3, 1, 33);
}

TEST_CASE("Every executor, instruction set and number of threads writes the same chunks") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, random_bytes(300'000, 2));
  const std::string spec = "cauchy-good:k=4,m=2,w=4";
  REQUIRE(xorloom(encoding(file, folder / "0", spec, {"--isa", "portable"})).status == 0);
  std::vector<std::array<const char*, 3>> all;
  std::size_t turn = 0;
  for (const char* executor : {"ranges", "graph", "auto"}) {
    for (const char* isa : {"portable", "neon", "ssse3", "avx2", "avx2-gfni", "avx512",
                            "avx512-gfni", "neon-sha3", "rvv"}) {
      const std::vector<const char*> numbers{"0", "1", "3"};
      for (const char* threads : one_by_turns(numbers, turn++)) {
        all.push_back({executor, isa, threads});
      }
    }
  }
  int ways = 0;
  for (const auto& [executor, isa, threads] : sample_if_sanitized(all, 21)) {
    const std::string chunks = folder / std::to_string(++ways);
    const Outcome outcome = xorloom(
        encoding(file, chunks, spec, {"--executor", executor, "--isa", isa, "--threads", threads}));
    if (outcome.status == 2 && has(outcome.err, "but the best this machine has is")) continue;
    CHECK(outcome.status == 0);
    CHECK(has(outcome.err, isa));
    for (const std::string& name : folder.names("0")) {
      CHECK((folder.read(fmt::format("{}/{}", ways, name)) == folder.read("0/" + name)));
    }
  }
}

TEST_CASE("Every style, engine and effort writes the same chunks") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  write_file(file, random_bytes(300'000, 2));
  for (const std::string spec : {"cauchy-good:k=4,m=2,w=4", "rs:k=4,m=2"}) {
    const std::string first = folder / (spec + "0");
    REQUIRE(xorloom(encoding(file, first, spec, {"--isa", "portable"})).status == 0);
    int ways = 0;
    for (const char* style : {"direct", "iterative", "auto"}) {
      for (const char* engine : {"code", "kernels", "auto"}) {
        for (const char* effort : {"fast", "normal"}) {
          if (effort == std::string("normal") && engine != std::string("code")) continue;
          const std::string chunks = folder / (spec + std::to_string(++ways));
          CHECK(xorloom(encoding(file, chunks, spec,
                                 {"--style", style, "--engine", engine, "--effort", effort}))
                    .status == 0);
          for (const std::string& name : folder.names(spec + "0")) {
            CHECK((read_file(chunks + "/" + name) == read_file(first + "/" + name)));
          }
        }
      }
    }
  }
}

TEST_CASE("Chunks are as small as they can be, or as large as asked") {
  const TemporaryFolder folder;
  const std::string file = folder / "file";
  const std::string spec = "cauchy:k=3,m=2,w=3,packet_bytes=8";
  write_file(file, random_bytes(73, 3));
  REQUIRE(xorloom(encoding(file, folder / "a", spec)).status == 0);
  REQUIRE(xorloom(encoding(file, folder / "b", spec, {"--chunk-bytes", "240"})).status == 0);
  CHECK(std::filesystem::file_size(folder / "a/0") == 48);
  CHECK(std::filesystem::file_size(folder / "b/4") == 240);
  CHECK(xorloom(decoding(folder / "b", folder / "back", spec, 73)).status == 0);
  CHECK((read_file(folder / "back") == read_file(file)));
}

TEST_CASE("Data chunks hold the file as it is, and zeros after its end") {
  const TemporaryFolder folder;
  write_file(folder / "file", "The quick brown fox");
  REQUIRE(xorloom(encoding(folder / "file", folder / "c", "rs:k=3,m=1", {"--chunk-bytes", "8"}))
              .status == 0);
  CHECK(read_file(folder / "c/0") == "The quic");
  CHECK(read_file(folder / "c/1") == "k brown ");
  CHECK((read_file(folder / "c/2") == std::string("fox\0\0\0\0\0", 8)));
  CHECK(folder.names("c") == std::vector<std::string>{"0", "1", "2", "3"});
}

TEST_CASE("What was done is said in one line on standard error") {
  const TemporaryFolder folder;
  write_file(folder / "file", random_bytes(5000, 4));
  const std::string spec = "rs:k=4,m=2";
  const Outcome encoded = xorloom(encoding(folder / "file", folder / "c", spec));
  CHECK(encoded.out.empty());
  CHECK(encoded.err.starts_with("encoded 5000 bytes into 6 chunks of 1250 bytes in "));
  CHECK(encoded.err.find('\n') == encoded.err.size() - 1);
  std::filesystem::remove(folder / "c/1");
  std::filesystem::remove(folder / "c/5");
  const Outcome decoded = xorloom(decoding(folder / "c", folder / "back", spec, 5000));
  CHECK(decoded.err.starts_with("decoded 5000 bytes from chunks of 1250 bytes in "));
  CHECK(has(decoded.err, ", chunks 1,5 lost, read chunks 0,2-4: "));
  CHECK(decoded.err.find('\n') == decoded.err.size() - 1);
}

TEST_CASE("Only chunks that are needed are read") {
  const TemporaryFolder folder;
  write_file(folder / "file", random_bytes(5000, 5));
  const std::string spec = "rs:k=4,m=2";
  REQUIRE(xorloom(encoding(folder / "file", folder / "c", spec)).status == 0);
  std::filesystem::remove(folder / "c/1");
  write_file(folder / "c/5", std::string(1250, 'x'));
  CHECK(xorloom(decoding(folder / "c", folder / "back", spec, 5000)).status == 0);
  CHECK((read_file(folder / "back") == read_file(folder / "file")));
}

TEST_CASE("More losses than the code survives give exit status 1, name them, and write nothing") {
  const TemporaryFolder folder;
  write_file(folder / "file", random_bytes(5000, 6));
  write_file(folder / "back", "what was there");
  const std::string spec = "rs:k=4,m=2";
  REQUIRE(xorloom(encoding(folder / "file", folder / "c", spec)).status == 0);
  for (const char* lost : {"0", "2", "4"}) std::filesystem::remove(folder / "c" + "/" + lost);
  const Outcome outcome = xorloom(decoding(folder / "c", folder / "back", spec, 5000));
  CHECK(outcome.status == 3);
  CHECK(has(outcome.err, "{0, 2, 4} cannot be rebuilt"));
  CHECK(read_file(folder / "back") == "what was there");
  CHECK(folder.names() == std::vector<std::string>{"back", "c", "file"});

  std::filesystem::remove_all(folder / "c");
  std::filesystem::create_directory(folder / "c");
  CHECK(xorloom(decoding(folder / "c", folder / "back", spec, 5000)).status == 4);
}

TEST_CASE("Chunk files that are there are written over only with --replace") {
  const TemporaryFolder folder;
  const std::string spec = "rs:k=2,m=1";
  write_file(folder / "file", "abcd");
  std::filesystem::create_directory(folder / "c");
  write_file(folder / "c/1", "precious");
  write_file(folder / "c/notes", "stays");
  const Outcome refused = xorloom(encoding(folder / "file", folder / "c", spec));
  CHECK(not_refused(refused, folder / "c already holds a chunk file 1; --replace overwrites it") ==
        "");
  CHECK(folder.names("c") == std::vector<std::string>{"1", "notes"});
  CHECK(read_file(folder / "c/1") == "precious");

  CHECK(xorloom(encoding(folder / "file", folder / "c", spec, {"--replace"})).status == 0);
  CHECK(folder.names("c") == std::vector<std::string>{"0", "1", "2", "notes"});
  CHECK(read_file(folder / "c/1") == "cd");
  CHECK(read_file(folder / "c/notes") == "stays");
}

TEST_CASE("A file goes through pipes both ways") {
  const TemporaryFolder folder;
  write_file(folder / "file", random_bytes(200'000, 7));
  const Outcome outcome = shell(
      "set -eo pipefail\n"
      "cat file | $xorloom encode - -o c --raw --code rs:k=5,m=3\n"
      "rm c/0 c/4 c/6\n"
      "$xorloom decode c -o - --raw --code rs:k=5,m=3 --length 200000 | cat > back\n"
      "cmp file back",
      folder.path());
  CHECK(outcome.status == 0);
  CHECK(outcome.out.empty());
}

TEST_CASE("An interrupted encoding ends by its signal and leaves nothing behind") {
  const TemporaryFolder folder;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU}) {
    CAPTURE(number);
    const Outcome outcome = shell(
        fmt::format(
            "set -m; shopt -s nullglob; ulimit -c 0; truncate -s 64M file\n"
            "$xorloom encode file -o c --raw --code rs:k=2,m=1 & encoder=$!\n"
            "hidden=()\n"
            "while ((${{#hidden[@]}} == 0)) && kill -0 $encoder; do hidden=(c/.*xorloom*); done\n"
            "kill -{} $encoder; wait $encoder; status=$?\n"
            "((${{#hidden[@]}} > 0)) && exit $status",
            number),
        folder.path());
    CHECK(outcome.status == 128 + number);
    CHECK(folder.names() == std::vector<std::string>{"file"});
  }
}

TEST_CASE("Chunks of a longer code do not stay among those of a shorter") {
  const TemporaryFolder folder;
  write_file(folder / "file", random_bytes(100, 8));
  const std::string c = folder / "c";
  REQUIRE(xorloom(encoding(folder / "file", c, "rs:k=4,m=2")).status == 0);
  for (const char* name : {"/0", "/1", "/2"}) std::filesystem::remove(c + name);
  CHECK(not_refused(xorloom(encoding(folder / "file", c, "rs:k=2,m=1")),
                    c + " already holds a chunk file 3; --replace overwrites it") == "");
  CHECK(not_refused(xorloom(encoding(folder / "file", c, "rs:k=2,m=1", {"--replace"})),
                    c + " holds a file 5, which 3 chunks do not overwrite but which would be taken "
                        "for one of them; move it away first") == "");
  for (const char* name : {"/3", "/4", "/5"}) std::filesystem::remove(c + name);
  CHECK(xorloom(encoding(folder / "file", c, "rs:k=2,m=1", {"--replace"})).status == 0);
  CHECK(xorloom(decoding(c, folder / "back", "rs:k=2,m=1", 100)).status == 0);
  CHECK((read_file(folder / "back") == read_file(folder / "file")));
}

TEST_CASE("No chunk file is encoded into its own directory or written by decoding") {
  const TemporaryFolder folder;
  write_file(folder / "file", random_bytes(100, 9));
  const std::string c = folder / "c";
  const std::string spec = "rs:k=2,m=1";
  REQUIRE(xorloom(encoding(folder / "file", c, spec)).status == 0);
  const std::string before = read_file(c + "/0");
  std::filesystem::create_symlink("c/0", folder / "link");
  std::filesystem::create_symlink("c", folder / "same");
  for (const std::string& file : {c + "/0", folder / "link", folder / "same/0"}) {
    CHECK(not_refused(xorloom(encoding(file, c, spec, {"--replace"})),
                      fmt::format("{} is a chunk file of {}, and the new chunks would replace it",
                                  file, c)) == "");
    CHECK(not_refused(
              xorloom(decoding(c, file, spec, 100)),
              fmt::format("{} is the name of a chunk file of {}, and decode must not overwrite it",
                          file, c)) == "");
  }
  CHECK(shell("$xorloom encode - -o c --replace --raw --code rs:k=2,m=1 < c/0", folder.path())
            .status == 2);
  CHECK(shell("cd c; $xorloom encode 0 -o . --replace --raw --code rs:k=2,m=1", folder.path())
            .status == 2);
  std::filesystem::remove(c + "/1");
  CHECK(xorloom(decoding(c, c + "/1", spec, 100)).status == 2);
  CHECK(folder.names("c") == std::vector<std::string>{"0", "2"});
  CHECK((read_file(c + "/0") == before));
}

TEST_CASE("Chunks past the end of the file are not needed") {
  const TemporaryFolder folder;
  write_file(folder / "file", "abcdefg");
  const std::string spec = "rs:k=4,m=1";
  REQUIRE(xorloom(encoding(folder / "file", folder / "c", spec, {"--chunk-bytes", "4"})).status ==
          0);
  for (const char* name : {"c/2", "c/3"}) std::filesystem::remove(folder / name);
  const Outcome outcome = xorloom(decoding(folder / "c", folder / "back", spec, 7));
  CHECK(outcome.status == 0);
  CHECK(has(outcome.err, ", chunks 2-3 lost, read chunks 0-1: nothing to rebuild"));
  CHECK(read_file(folder / "back") == "abcdefg");
  CHECK(xorloom(decoding(folder / "c", folder / "none", spec, 0)).status == 0);
  CHECK(read_file(folder / "none").empty());
  CHECK(xorloom(decoding(folder / "c", folder / "back", spec, 9)).status == 3);
}

}  // namespace xorloom::test
