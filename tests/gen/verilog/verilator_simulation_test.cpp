#include "tests/gen/verilog/simulated_engines.hpp"
#include "tests/gen/verilog/simulated_units.hpp"
#include "tests/gen/verilog/verilator_model.hpp"

// All kinds of hardware by Verilator, against the results that their testbenches hold.

namespace xorloom {
namespace {

/// Verilator's default. Units need more rounds than engines: arrays of 8 rows, and latencies.
constexpr std::size_t kRoundsOfUnits = 64;

/// Engines of a code with each number of lanes and of ranks.
void add_engines(VerilatorModel& model, const std::string& spec, std::size_t clocks) {
  for (const std::size_t lanes : kSimulatedLanes) {
    for (std::size_t ranks = 0; ranks <= kMostSimulatedRanks; ++ranks) {
      const std::string name = fmt::format("l{}_r{}", lanes, ranks);
      model.add(engines(spec, lanes, ranks, (lanes + ranks) % 2 == 0 ? 0 : 4, name),
                fmt::format("xl_{}_testbench", name), clocks);
    }
  }
}

void add_coprocessor(VerilatorModel& model, const SimulatedCoprocessor& simulated,
                     const std::string& name, std::size_t clocks) {
  model.add(text_of(simulated, name), fmt::format("xl_{}_coprocessor_testbench", name), clocks);
}

void add_streamed_engines(VerilatorModel& model, std::size_t clocks) {
  model.add(streamed_engines(make_code(kWorkedExample), 8, {0, 2}, "streamed"),
            "xl_streamed_testbench", clocks);
}

void add_zigzag_unit(VerilatorModel& model, const SimulatedZigzagUnit& simulated,
                     const std::string& name) {
  model.add(text_of(simulated, name), fmt::format("xl_{}_testbench", name), "");
}

}  // namespace

TEST_CASE("Verilator finds the results of hardware of each kind as they should be") {
  SKIP_WITHOUT_TOOL("verilator");
  constexpr std::size_t kClocks = 2000;
  VerilatorModel model;
  model.add(engines("rs:k=3,m=2,w=4", 8, 2, 4, "words"), "xl_words_testbench", kClocks);
  model.add(engines(kWorkedExample, 64, 1, 0, "packets"), "xl_packets_testbench", kClocks);
  add_coprocessor(model, kSimulatedCoprocessors.back(), "array", kClocks);
  add_streamed_engines(model, kClocks);
  add_zigzag_unit(model, simulated_zigzag_units().front(), "zigzag");
  CHECK(model.complaint() == "");
}

TEST_CASE("A wrong bit in one of several designs fails all of them") {
  SKIP_WITHOUT_TOOL("verilator");
  VerilatorModel model;
  model.add(engines(kWorkedExample, 1, 0, 0, "right"), "xl_right_testbench", 100);
  VerilogText text = engines(kWorkedExample, 1, 0, 0, "wrong");
  text.design = change(text.design, "out5[0*LANES +: LANES]", "out5[1*LANES +: LANES]");
  model.add(text, "xl_wrong_testbench", 10'000);
  CHECK(has(model.complaint(), "FAIL: xl_wrong_encode: out is "));
}

TEST_CASE("Verilator finds all of it right where all is asked for") {
  SKIP_WITHOUT_TOOL("verilator");
  const std::size_t clocks = hardware_clocks();
  if (clocks == 0) return;
  for (const auto* specs : {&kSimulatedCodes, &kMoreSimulatedCodes}) {
    for (const std::string& spec : *specs) {
      CAPTURE(spec);
      VerilatorModel model;
      add_engines(model, spec, clocks);
      CHECK(model.complaint() == "");
    }
  }
  VerilatorModel streamed;
  add_streamed_engines(streamed, clocks);
  CHECK(streamed.complaint() == "");
  for (const auto* coprocessors : {&kSimulatedCoprocessors, &kPaperCoprocessors}) {
    VerilatorModel model(kRoundsOfUnits);
    for (std::size_t i = 0; i < coprocessors->size(); ++i) {
      add_coprocessor(model, (*coprocessors)[i], fmt::format("array{}", i), clocks);
    }
    CHECK(model.complaint() == "");
  }
  const std::vector<SimulatedZigzagUnit> units = simulated_zigzag_units();
  VerilatorModel model(kRoundsOfUnits);
  for (std::size_t i = 0; i < units.size(); ++i) {
    add_zigzag_unit(model, units[i], fmt::format("zigzag{}", i));
  }
  CHECK(model.complaint() == "");
}

}  // namespace xorloom
