#include "bench/lab/unit_throughput.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "tests/gen/verilog/simulation.hpp"

// The model of Zigzag units against simulated clocks.

namespace xorloom {
namespace {

struct Modelled {
  std::string spec;
  ZigzagUnitOptions options;
};

std::vector<Modelled> modelled_units() {
  return {{"zigzag:k=4,r=2", {.lanes = 1, .slice_words = 4, .name = "t"}},
          {"zigzag:k=4,r=2", {.lanes = 1, .slice_words = 4, .buffers = 2, .name = "t"}},
          {"zigzag:k=5,r=2", {.lanes = 1, .slice_words = 4, .name = "t"}},
          {"zigzag:k=3,r=3", {.lanes = 2, .slice_words = 4, .buffers = 2, .name = "t"}},
          {"zigzag:k=1,r=4", {.lanes = 1, .slice_words = 8, .buffers = 2, .name = "t"}}};
}

}  // namespace

TEST_CASE("the clocks of one unit are those of the model, to the last") {
  SKIP_WITHOUT_TOOL("iverilog");
  for (const Modelled& modelled : modelled_units()) {
    const Code code = make_code(modelled.spec);
    const UnitPlan plan = unit_plan(code, std::vector<std::vector<std::size_t>>{{0}});
    const TemporaryFolder folder;
    folder.write("unit.v", write_zigzag_unit(code, plan, modelled.options));
    for (const std::size_t latency : {1U, 30U}) {
      CAPTURE(modelled.spec);
      CAPTURE(modelled.options.buffers);
      CAPTURE(latency);
      const UnitTestOptions test{.element_words = 11, .stripes = 2, .latency = latency};
      folder.write("testbench.v", write_zigzag_unit_testbench(code, plan, modelled.options, test));
      REQUIRE(icarus_complaint(folder, "unit.v", "xl_t_testbench") == "");
      const std::string said = folder.read("said");
      for (std::size_t i = 0; i < plan.operations.size(); ++i) {
        const double clocks =
            unit_clocks(plan, plan.operations[i], modelled.options,
                        {.element_words = 11, .stripes = test.stripes, .latency = latency});
        const std::string line = fmt::format("operation {}: {} clocks,", i, clocks);
        INFO(said);
        CHECK(has(said, line));
      }
    }
  }
}

TEST_CASE("units that share a channel are within 5 % of the model") {
  SKIP_WITHOUT_TOOL("iverilog");
  const Code code = make_code("zigzag:k=4,r=2");
  const UnitPlan plan = unit_plan(code);
  const UnitTask task{.element_words = 96, .stripes = 1, .latency = 20};
  for (const std::size_t buffers : {1U, 2U}) {
    const ZigzagUnitOptions options{.lanes = 1, .slice_words = 8, .buffers = buffers, .name = "t"};
    const TemporaryFolder folder;
    folder.write("unit.v", write_zigzag_unit(code, plan, options));
    for (const std::size_t units : {1U, 3U}) {
      for (const std::size_t rate : {256U, 120U}) {
        for (const std::size_t operation : {0U, 1U}) {
          // Half of all, and each with each, unless all are asked for.
          const bool is_even = (units / 3 + rate / 256 + operation) % 2 == 0;
          if (!is_even && hardware_clocks() == 0) continue;
          CAPTURE(buffers);
          CAPTURE(units);
          CAPTURE(rate);
          CAPTURE(operation);
          REQUIRE(
              complaint_of(folder,
                           fmt::format("iverilog -g2005 -s system -o test -Psystem.UNITS={} "
                                       "-Psystem.RATE={} -Psystem.LATENCY={} -Psystem.OPERATION={} "
                                       "-Psystem.ELEMENT_WORDS={} unit.v {} && vvp -N test >said",
                                       units, rate, task.latency, operation, task.element_words,
                                       XORLOOM_TEST_VERILOG)) == "");
          std::istringstream said(folder.read("said"));
          double clocks = 0;
          said >> clocks;
          // One clock per second, and a byte per word.
          const UnitSystem system{.units = units,
                                  .channels = 1,
                                  .clock = 1,
                                  .channel_bytes = static_cast<double>(rate) / 256};
          const UnitThroughput model =
              unit_throughput(plan, plan.operations[operation], options, system, task);
          const double data = 32.0 * 96 * static_cast<double>(units);
          CHECK(data / clocks / model.predicted == doctest::Approx(1).epsilon(0.05));
        }
      }
    }
  }
}

}  // namespace xorloom
