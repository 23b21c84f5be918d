#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr const char* kSmallSpec = "cauchy-good:k=4,m=2,w=4";

}  // namespace

TEST_CASE("An output that cannot be written is refused before anything else of a report is read") {
  const TemporaryFolder folder;
  const std::string nowhere = folder / "no/such";
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"report", "--equations", folder / "missing", "-o", nowhere},
        {"report", "no-such-family:k=1", "--format", "html", "-o", nowhere},
        {"report", kSmallSpec, "--format", "json", "-o", nowhere}}) {
    const Outcome outcome = xorloom(call);
    CHECK(outcome.status == 4);
    CHECK(has(outcome.err, "cannot write " + nowhere + ": No such file or directory"));
  }
}

TEST_CASE("A wrong file or code of a report is refused before a search begins") {
  const TemporaryFolder folder;
  const std::string library = folder / "library";
  for (const std::vector<std::string>& call :
       {std::vector<std::string>{"report", kSmallSpec, "--equations", folder / "missing"},
        {"report", kSmallSpec, "clay:k=10,m=4"},
        {"report", kSmallSpec, "cauchy:k=4,m=2,w=1"}}) {
    std::vector<std::string> arguments = call;
    arguments.insert(arguments.end(), {"--library", library});
    CHECK(xorloom(arguments).status != 0);
    CHECK_FALSE(std::filesystem::exists(library));  // a search makes it
  }
}

TEST_CASE("All searches of a report share its seconds, and it says which of them the time ended") {
  const Outcome outcome = xorloom({"report", "cauchy-good:k=10,m=4", "cauchy:k=10,m=4", "--effort",
                                   "max", "--seconds", "1", "--cores", "1,4", "--format", "json"});
  CHECK(outcome.status == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["search"]["seconds"] == 1);
  CHECK(json["left_out"].size() == 1);
  CHECK(has(json["left_out"][0].get<std::string>(), "of 4 searches: they share 1 s"));
}

TEST_CASE("A search that ended leaves nothing to say") {
  const auto json = nlohmann::json::parse(
      xorloom({"report", kSmallSpec, "--effort", "max", "--tries", "1000", "--format", "json"})
          .out);
  CHECK(json["left_out"].empty());
  CHECK(json["search"]["steps"] == 1000);
  CHECK(json["search"]["seconds"].is_null());
}

#ifndef XORLOOM_IS_SANITIZED  // a sanitized program would take minutes
TEST_CASE("A code that is too large for machine code is reported, and the bound is named") {
  const Outcome outcome = xorloom({"report", "cauchy:k=200,m=40", "--effort", "fast"});
  CHECK(outcome.status == 0);
  CHECK(widest_line(outcome.out) <= 80);
  CHECK(has(outcome.out, "\nLeft out:\n  - machine code of set 2: "));
  CHECK(has(outcome.out, "temporaries are alive at once, more than the\n    8192 that fit"));
}
#endif

TEST_CASE("A report of a code of 60,000 locations reads its spec once, not for each line of it") {
  constexpr int kLocations = 60'000;
  constexpr int kData = 4 * (kLocations - 1);
  const TemporaryFolder folder;
  std::string data;
  std::string equations;
  for (int i = 0; i < kData; ++i) data += fmt::format("{}{}", i == 0 ? "" : ",", i);
  for (int row = 0; row < 4; ++row) {
    std::string operands;
    for (int i = row * kData / 4; i < (row + 1) * kData / 4; ++i) {
      operands += fmt::format("{}{}", i == row * kData / 4 ? "" : ",", i);
    }
    equations += fmt::format(R"({}{{"target": {}, "xor": [{}]}})", row == 0 ? "" : ",", kData + row,
                             operands);
  }
  write_file(folder / "code.json",
             fmt::format(R"({{"format": "xorloom-code", "version": 1, "locations": {}, "rows": 4, )"
                         R"("data": [{}], "equations": [{}]}})",
                         kLocations, data, equations));
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = xorloom({"report", "file:" + folder / "code.json", "--effort", "fast"});
  CHECK(outcome.status == 0);
  // This took 35 s while each line of the spec scanned all the rest of it.
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
}

}  // namespace xorloom::test
