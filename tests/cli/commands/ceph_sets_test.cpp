// Sets that Ceph's plugins wrote, known by the sums of their chunks: made again byte for byte by
// the program, and given back with chunks missing.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

struct PublishedSet {
  std::string spec;
  std::size_t content_bytes;
  std::string chunk_bytes;
  std::vector<std::string> sums;  ///< SHA-256 of the chunks, in hexadecimal digits
};

std::vector<PublishedSet> published_sets() {
  std::ifstream in(XORLOOM_TEST_DATA "/ceph_sets.txt");
  std::vector<PublishedSet> sets;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    PublishedSet& set = sets.emplace_back();
    words >> set.spec >> set.content_bytes >> set.chunk_bytes;
    for (std::string sum; words >> sum;) set.sums.push_back(sum);
  }
  return sets;
}

std::string content_of(std::size_t bytes) {
  constexpr std::string_view kLetters = "nwlrbbmqbhcdarzowkkyhiddqscdxrjmowfrx";
  std::string content;
  while (content.size() < bytes) content += kLetters;
  content.resize(bytes);
  return content;
}

/// The sums of the files 0, 1, … of a folder.
std::vector<std::string> sums_of(const std::string& folder, std::size_t files) {
  std::string line = "sha256sum";
  for (std::size_t i = 0; i < files; ++i) line += fmt::format(" {}", i);
  const Outcome outcome = shell(line, folder);
  REQUIRE(outcome.status == 0);
  std::vector<std::string> sums;
  std::istringstream lines(outcome.out);
  for (std::string text; std::getline(lines, text);) sums.push_back(text.substr(0, 64));
  return sums;
}

}  // namespace

TEST_CASE("sets of Ceph's plugins come out byte for byte, and are given back and repaired") {
  const std::vector<PublishedSet> sets = published_sets();
  REQUIRE(sets.size() == 82);
  std::size_t turn = 0;
  for (const PublishedSet& set : sample_if_sanitized(sets, 12)) {
    CAPTURE(set.spec);
    CAPTURE(set.content_bytes);
    const TemporaryFolder folder;
    const std::string file = folder / "content";
    const std::string chunks = folder / "chunks";
    const std::string content = content_of(set.content_bytes);
    write_file(file, content);
    const std::vector<std::string> code{"--raw", "--code", set.spec, "--allow-non-mds"};
    const auto run = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.end(), code.begin(), code.end());
      const Outcome outcome = xorloom(arguments);
      CAPTURE(outcome.err);
      REQUIRE(outcome.status == 0);
    };
    run({"encode", file, "-o", chunks, "--chunk-bytes", set.chunk_bytes});
    REQUIRE(sums_of(chunks, set.sums.size()) == set.sums);

    const std::vector<std::size_t> ends{0, set.sums.size() - 1};
    for (const std::size_t lost : one_by_turns(ends, turn++)) {
      const std::string path = fmt::format("{}/{}", chunks, lost);
      const std::string whole = read_file(path);
      std::filesystem::remove(path);
      run({"decode", chunks, "-o", folder / "back", "--length", std::to_string(content.size())});
      REQUIRE((read_file(folder / "back") == content));
      run({"repair", chunks});
      REQUIRE((read_file(path) == whole));
    }
    REQUIRE(sums_of(chunks, set.sums.size()) == set.sums);
  }
}

}  // namespace xorloom::test
