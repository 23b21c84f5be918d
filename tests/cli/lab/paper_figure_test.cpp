#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/report/reporting.hpp"

namespace xorloom::test {
namespace {

/// Returns the JSON output of `xorloom-lab paper-figure`.
nlohmann::json paper_figure(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "paper-figure");
  arguments.insert(arguments.end(), {"--format", "json"});
  return nlohmann::json::parse(xorloom_lab(arguments).out);
}

}  // namespace

TEST_CASE("Figure 5 of the paper is its formulas, point by point") {
  const auto json = paper_figure({"5", "--effort", "fast", "--seconds", "600"});
  CHECK(json["parts"].size() == 3);
  for (const auto& part : json["parts"]) {
    const double m = part["m"];
    CHECK(part["points"].size() == 32);
    for (const auto& point : part["points"]) {
      const double k = point["k"];
      CAPTURE(m);
      CAPTURE(k);
      CHECK(point["optimal"] == doctest::Approx((k - 1) * m));
      CHECK(point["cauchy"] == doctest::Approx((2.5 * k - 1) * m));
      CHECK(point["classical"] == doctest::Approx(2.3 * (k - 1) * m));
      CHECK(point["direct_on_cores"] == doctest::Approx((2.5 * k - 1) / 8 / 0.93));
      CHECK(point["iterative_on_cores"] == doctest::Approx((2.5 * k - 1) / 8 / 1.07));
      CHECK(point["fpga"] == doctest::Approx(std::ceil(k / 8) * 18 + (std::ceil(k / 8) - 1) * m));
      CHECK(point["measured_fpga"] == doctest::Approx(std::ceil(k / 8) * 18));
      CHECK(point["made_iterative"] <= point["made_direct"]);
      CHECK(point["made_iterative_on_cores"] <= point["made_direct_on_cores"]);
      CHECK(point["made_direct"] >= point["optimal"]);
    }
  }
  CHECK(json["codes"] == 96);
  CHECK(json["codes_shared"] == 96);
  CHECK(not_refused(xorloom_lab({"paper-figure", "5", kWorkedExample}),
                    "paper-figure 5 takes no SPEC") == "");
  CHECK(not_refused(xorloom_lab({"paper-figure", "6"}), "there is no figure '6': it is 4 or 5") ==
        "");
  CHECK(not_refused(xorloom({"report", "--paper-figure", "5"}),
                    "--paper-figure moved to another program: run xorloom-lab paper-figure N") ==
        "");
}

TEST_CASE("The parameters of the paper's model are options, and a budget ends the searches") {
  const auto json = paper_figure({"5", "--factor", "2", "--symbol-bits", "4", "--cores", "3",
                                  "--efficiency", "0.5,1.25", "--slower-clock", "10",
                                  "--multipliers", "4", "--effort", "fast", "--seconds", "600"});
  CHECK(json["codes"] == 14 + 12 + 10);  // k + m is at most 16
  for (const auto& part : json["parts"]) {
    const double m = part["m"];
    CHECK(part["cores"] == 3);
    for (const auto& point : part["points"]) {
      const double k = point["k"];
      CAPTURE(m);
      CAPTURE(k);
      CHECK(point["cauchy"] == doctest::Approx((2 * k - 1) * m));
      CHECK(point["direct_on_cores"] == doctest::Approx((2 * k - 1) * m / 3 / 0.5));
      CHECK(point["iterative_on_cores"] == doctest::Approx((2 * k - 1) * m / 3 / 1.25));
      CHECK(point["fpga"] ==
            doctest::Approx(std::ceil(k / 4) * std::ceil(m / 4) * 10 + (std::ceil(k / 4) - 1) * m));
      CHECK(point["made_direct"].is_null() == (k + m > 16));
    }
  }
  const auto stopped = paper_figure({"5", "--effort", "normal", "--seconds", "1"});
  CHECK(stopped["codes"] == 96);
  CHECK(stopped["codes_searched"] < 96);
  CHECK(stopped["budget_seconds"] == 1);
  const Outcome table = xorloom_lab({"paper-figure", "5", "--seconds", "1"});
  CHECK(table.out.find("The searches were stopped after 1 s: ") != std::string::npos);
  CHECK(widest_line(table.out) <= 80);
  const Outcome svg = xorloom_lab({"paper-figure", "5", "--symbol-bits", "4", "--effort", "fast",
                                   "--seconds", "600", "--format", "svg"});
  CHECK(svg.out.starts_with("<svg"));
  CHECK(svg.out.find("Steps per bit of 6 redundant chunks") != std::string::npos);
}

TEST_CASE("Help says how long the searches of a figure take") {
  const Outcome help = xorloom_lab({"paper-figure", "--help-all"});
  CHECK(has(help.out, "all searches together stop after N\n"));
  CHECK(!has(help.out, "default: 60"));
}

TEST_CASE("What is no parameter of the model is refused with the value") {
  const auto refused = [](std::vector<std::string> options, const std::string& sentence) {
    options.insert(options.begin(), {"paper-figure", "5"});
    CHECK(not_refused(xorloom_lab(options), sentence) == "");
  };
  refused({"--factor", "0"}, "--factor = 0 is not a number above 0, such as 1.2e6");
  refused({"--factor", "nan"}, "--factor = nan is not a number above 0, such as 1.2e6");
  refused({"--slower-clock", "x"}, "--slower-clock = x is not a number above 0, such as 1.2e6");
  refused({"--symbol-bits", "17"}, "--symbol-bits = 17 is not a whole number from 1 to 16");
  for (const char* bad : {"0.9", "0.9,0", "0.9,1,1", "0.9,", ",1", "inf,1"}) {
    refused({"--efficiency", bad}, std::string("--efficiency = ") + bad +
                                       " is not two numbers above 0, such as 0.93,1.07");
  }
  refused({"--cores", "1-3"}, "--cores = 1-3 is not a whole number from 1 to 1024");
  refused({"--effort", "max"},
          "paper-figure 5 searches for 96 codes and takes only --effort fast or normal");
}

}  // namespace xorloom::test
