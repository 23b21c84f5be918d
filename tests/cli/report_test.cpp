#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr const char* kWorkedExample = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";
constexpr const char* kIterative = XORLOOM_EXAMPLES "/paper_iterative.txt";

/// A row of the table with its blanks made one.
bool has_row(const std::string& table, const std::string& row) {
  std::string squeezed;
  std::unique_copy(table.begin(), table.end(), std::back_inserter(squeezed),
                   [](char a, char b) { return a == ' ' && b == ' '; });
  return squeezed.find("\n" + row + "\n") != std::string::npos;
}

nlohmann::json report(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "report");
  arguments.insert(arguments.end(), {"--format", "json"});
  return nlohmann::json::parse(xorloom(arguments).out);
}

}  // namespace

TEST_CASE("The report puts the paper's iterative equations beside the direct ones") {
  const Outcome outcome =
      xorloom({"report", kWorkedExample, "--equations", kIterative, "--cores", "1,6"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  CHECK(widest_line(outcome.out) <= 80);
  CHECK(has_row(outcome.out, "XORs 45 33"));
  CHECK(has_row(outcome.out, "XORs per redundant bit 7.50 5.50"));
  CHECK(has_row(outcome.out, "F, over the optimum 1.70 1.30"));
  CHECK(has_row(outcome.out, "longest equation, in XORs 8 5"));
  CHECK(has_row(outcome.out, "longest path, in XORs 8 7"));
  CHECK(has_row(outcome.out, "temporaries 0 8"));
  CHECK(has_row(outcome.out, " steps, any XOR on any core 8 6"));
  CHECK(has_row(outcome.out, " steps, an equation on one core (atomic) 8 7"));
  CHECK(has_row(outcome.out, " efficiency 0.94 1.25"));
  CHECK(has_row(outcome.out, " efficiency 0.94 1.07"));
}

TEST_CASE("The JSON form of the report holds the figures of the table") {
  const auto json = report({kWorkedExample, "--equations", kIterative, "--cores", "6"});
  CHECK(json["format"] == "xorloom-report");
  CHECK(json["version"] == 1);
  const auto& direct = json["sets"][0];
  const auto& iterative = json["sets"][1];
  CHECK(direct["xors"] == 45);
  CHECK(direct["on_cores"][0]["speedup"] == doctest::Approx(45.0 / 8));
  CHECK(iterative["xors"] == 33);
  CHECK(iterative["direct_xors"] == 45);
  CHECK(iterative["longest_path"] == 7);
  CHECK(iterative["style"] == "iterative");
  CHECK(iterative["on_cores"][0]["atomic_efficiency"] == doctest::Approx(45.0 / 7 / 6));
  CHECK(iterative["on_cores"][0]["efficiency"] == doctest::Approx(45.0 / 6 / 6));
}

TEST_CASE("Equations that were saved are reported like those they were saved from") {
  const TemporaryFolder folder;
  const std::string spec = "cauchy-good:k=4,m=2,w=4";
  for (const char* format : {"text", "json"}) {
    CAPTURE(format);
    const std::string file = folder / format;
    CHECK(xorloom({"equations", spec, "--format", format, "-o", file}).status == 0);
    auto json = report({spec, "--equations", file, "--cores", "1,3"});
    json["sets"][1]["source"] = "direct";
    CHECK(json["sets"][0] == json["sets"][1]);
    CHECK(report({"--equations", file})["sets"][0]["code"] == json["sets"][0]["code"]);
  }
}

TEST_CASE("Decoding equations are reported against the direct decoding") {
  const TemporaryFolder folder;
  const std::string file = folder / "decode.json";
  const std::vector<std::string> erase{"--erase", "0,3"};
  CHECK(xorloom({"equations", kWorkedExample, "--erase", "0,3", "--format", "json", "-o", file})
            .status == 0);
  const auto json = report({kWorkedExample, "--erase", "0,3", "--equations", file});
  CHECK(json["erased"] == std::vector<int>{0, 3});
  CHECK(json["sets"][0]["output_bits"] == 6);
  CHECK(json["sets"][1]["direct_xors"] == json["sets"][0]["xors"]);
  CHECK(not_refused(xorloom({"report", kWorkedExample, "--equations", file}),
                    file +
                        " computes 6 elements, which are not the 6 redundant ones: --erase names "
                        "the locations that equations rebuild") == "");
}

TEST_CASE("Many sets are broken into tables that fit 80 columns") {
  std::vector<std::string> arguments{"report"};
  for (int m = 1; m <= 6; ++m)
    arguments.push_back("cauchy-good:k=6,m=" + std::to_string(m) + ",w=4");
  const Outcome outcome = xorloom(arguments);
  CHECK(outcome.status == 0);
  CHECK(widest_line(outcome.out) <= 80);
  CHECK(has_row(outcome.out, "set 1 2 3 4"));
  CHECK(has_row(outcome.out, "set 5 6"));
}

TEST_CASE("Specs wider than a line are broken between their points") {
  const Outcome outcome = xorloom({"report", "cauchy:k=10,m=4,w=8", "cauchy-good:k=10,m=4,w=8"});
  CHECK(outcome.status == 0);
  CHECK(widest_line(outcome.out) <= 80);
}

TEST_CASE("Equations may come from standard input") {
  const Outcome outcome =
      xorloom({"report", kWorkedExample, "--equations", "-"}, {.in = read_file(kIterative)});
  CHECK(outcome.status == 0);
  CHECK(has_row(outcome.out, "XORs 45 33"));
}

TEST_CASE("Equations that are wrong are refused, and the output that differs is named") {
  std::string text = read_file(kIterative);
  text.replace(text.find("C = XOR(11,12)"), 14, "C = XOR(11,13)");
  const Outcome outcome = xorloom({"report", kWorkedExample, "--equations", "-"}, {.in = text});
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("xorloom: error: standard input: the equations are not those of"));
}

}  // namespace xorloom::test
