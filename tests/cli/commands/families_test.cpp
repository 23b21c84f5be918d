// Sets of shards of every family's example, with the promised number of shards lost.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

/// Losses that each family promises, stated here independently of the program. A family that is not
/// listed promises one.
const std::map<std::string, std::size_t> kPromises = {{"cauchy", 2},     {"cauchy-good", 4},
                                                      {"rs", 4},         {"rs-poly", 4},
                                                      {"isa-cauchy", 4}, {"leopard", 4},
                                                      {"raid6", 2},      {"liberation", 2},
                                                      {"blaum-roth", 2}, {"isa-vandermonde", 4},
                                                      {"liber8tion", 2}, {"evenodd", 2},
                                                      {"rdp", 2},        {"x-code", 2},
                                                      {"parity", 1},     {"hamming", 2},
                                                      {"hover", 2},      {"shec", 3},
                                                      {"lrc", 4},        {"clay", 2},
                                                      {"zigzag", 2},     {"file", 1}};

void check_set(const std::string& spec, std::size_t losses, const std::string& executor,
               std::size_t turn) {
  CAPTURE(spec);
  CAPTURE(executor);
  const TemporaryFolder folder;
  const std::string content = random_bytes(150'001, 11);
  folder.write("file", content);
  folder.write("my-code.json",
               R"({"format": "xorloom-code", "version": 1, "locations": 3, "rows": 2,
                   "data": [0, 1, 2, 3], "bits": ["1010", "0101"]})");
  const auto run = [&](const std::string& line) {
    const Outcome outcome = shell(line, folder.path());
    CAPTURE(line);
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
  };
  run(fmt::format("$xorloom encode file -o d --code '{}' --executor {}", spec, executor));
  const std::vector<std::string> shards = folder.names("d");
  REQUIRE(shards.size() > losses);
  std::map<std::string, std::string> whole;
  for (const std::string& shard : shards) whole[shard] = folder.read("d/" + shard);
  const std::vector<std::size_t> ends{0, shards.size() - losses};
  for (const std::size_t first : one_by_turns(ends, turn)) {
    for (std::size_t i = 0; i < losses; ++i) {
      std::filesystem::remove(folder / ("d/" + shards[first + i]));
    }
    run(fmt::format("$xorloom decode d -o back --executor {}", executor));
    REQUIRE((folder.read("back") == content));
    run(fmt::format("$xorloom repair d --executor {} && $xorloom verify d", executor));
    for (const auto& [shard, bytes] : whole) REQUIRE((folder.read("d/" + shard) == bytes));
  }
}

}  // namespace

TEST_CASE(
    "every family's example is encoded, recovered and repaired after the losses it promises") {
  const std::vector<std::string> specs = family_examples();
  REQUIRE(specs.size() >= kPromises.size());
  std::vector<std::pair<std::string, std::string>> runs;
  for (const std::string& spec : specs) {
    runs.emplace_back(spec, "ranges");
    runs.emplace_back(spec, "graph");
  }
  std::size_t turn =
      0;  // each executor loses the first shards of a family, and the last of the next
  for (const auto& [spec, executor] : sample_if_sanitized(runs, specs.size())) {
    const auto promise = kPromises.find(spec.substr(0, spec.find(':')));
    check_set(spec, promise == kPromises.end() ? 1 : promise->second, executor,
              turn / 2 + turn % 2);
    ++turn;
  }
}

}  // namespace xorloom::test
