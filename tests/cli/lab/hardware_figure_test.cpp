#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/cli/report/reporting.hpp"

namespace xorloom::test {
namespace {

/// Returns the JSON output of `xorloom-lab paper-figure`.
nlohmann::json hardware_figure(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "paper-figure");
  arguments.insert(arguments.end(), {"--format", "json"});
  return nlohmann::json::parse(xorloom_lab(arguments).out);
}

}  // namespace

TEST_CASE("Figure 4 of the paper puts the clocks of the coprocessor beside C_FPGA") {
  const auto json = hardware_figure({"4", "--effort", "fast"});
  CHECK(json["figure"] == 4);
  CHECK(json["clocks"] == 1);
  CHECK(json["direct"]["engines"] == 6);
  CHECK(json["direct"]["clocks"] == 15);
  CHECK(json["parts"].size() == 3);
  for (const auto& part : json["parts"]) {
    const double m = part["m"];
    for (const auto& point : part["points"]) {
      const std::size_t k = point["k"];
      const std::size_t tiles = (k + 7) / 8;
      CHECK(point["clocks"] == tiles);
      CHECK(point["measured_fpga"] == 18.0 * static_cast<double>(tiles));
      CHECK(point["fpga"] ==
            18.0 * static_cast<double>(tiles) + static_cast<double>(tiles - 1) * m);
    }
  }
}

TEST_CASE("Figure 4 takes a code, equations that share sums, an array and a clock") {
  const auto json = hardware_figure({"4", kWorkedExample, "--equations", kIterative,
                                     "--multipliers", "2", "--slower-clock", "10"});
  CHECK(json["clocks"] == 3);
  CHECK(json["shared"]["engines"] == 12);
  CHECK(json["shared"]["gates"] == 14);
  CHECK(json["parts"][0]["points"][4]["measured_fpga"] == 30.0);
  CHECK(json["parts"][0]["points"][4]["fpga"] == 34.0);
  const Outcome table = xorloom_lab({"paper-figure", "4", "rs:k=10,m=4", "--effort", "fast"});
  CHECK(widest_line(table.out) <= 80);
  CHECK(has(table.out, "\n25-32       4      78     72       4      84     72"));
  CHECK(has(table.out, "a word of 10 + 4 symbols"));
  const Outcome svg = xorloom_lab({"paper-figure", "4", "--effort", "fast", "--format", "svg"});
  CHECK(svg.out.starts_with("<svg"));
  CHECK(has(svg.out, "Coprocessor: 2 elements from 5, 10 multipliers"));
  CHECK(has(svg.out, "6 XOR engines, 15 elements stream through<"));
}

TEST_CASE("What figure 4 does not take is refused") {
  const auto refused = [](std::vector<std::string> options, const std::string& sentence) {
    options.insert(options.begin(), {"paper-figure", "4"});
    CHECK(not_refused(xorloom_lab(options), sentence) == "");
  };
  refused({"--factor", "2"}, "paper-figure 4 takes no --factor");
  refused({"--cores", "2"}, "paper-figure 4 takes no --cores");
  refused({"--erase", "0"}, "'--erase' is not expected");
  refused({"rs:k=2,m=1", "rs:k=3,m=1"}, "paper-figure 4 takes one SPEC");
  refused({"rs:k=40,m=4", "--effort", "fast", "--format", "svg"},
          "rs:k=40,m=4,w=8 is too large for a picture: there is room for 16 + 16 symbols, and for "
          "engines of 128 equations over 128 elements");
}

}  // namespace xorloom::test
