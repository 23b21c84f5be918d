#include "tests/gen/verilog/simulated_engines.hpp"
#include "tests/gen/verilog/simulated_units.hpp"

// Verilator's lint, with all its warnings.

namespace xorloom {
namespace {

/// Messages of Verilator's lint about a design alone. The file has the module's name, as lint
/// demands.
std::string lint(const std::string& design, const std::string& module,
                 const std::string& options = "") {
  const TemporaryFolder folder;
  folder.write(module + ".v", design);
  return complaint_of(folder, fmt::format("verilator --lint-only -Wall {} --top {} {}.v >said "
                                          "2>&1; cat said; test ! -s said",
                                          options, module, module));
}

}  // namespace

TEST_CASE("Verilator's lint has nothing to say of engines and testbenches") {
  SKIP_WITHOUT_TOOL("verilator");
  std::vector<std::string> specs = kSimulatedCodes;
  specs.insert(specs.end(), kMoreSimulatedCodes.begin(), kMoreSimulatedCodes.end());
  std::size_t number = 0;
  for (const std::string& spec : specs) {
    CAPTURE(spec);
    for (const std::size_t ranks : {0U, 2U}) {
      for (const std::size_t gates : {0U, 6U}) {
        // A sample has each code once.
        if (hardware_clocks() == 0 && number++ % 5 != 0) continue;
        CHECK(simulation_complaint(
                  engines(spec, 3, ranks, gates),
                  "verilator --lint-only --timing -Wall --top xl_t_testbench engines.v "
                  "testbench.v >said 2>&1; cat said; test ! -s said") == "");
      }
    }
  }
}

TEST_CASE("nor of coprocessors") {
  SKIP_WITHOUT_TOOL("verilator");
  for (const SimulatedCoprocessor& each : kSimulatedCoprocessors) {
    CAPTURE(each.spec);
    CHECK(lint(text_of(each, "t").design, "xl_t_coprocessor") == "");
  }
}

TEST_CASE("nor of streamed engines") {
  SKIP_WITHOUT_TOOL("verilator");
  const VerilogText text = streamed_engines(make_code(kWorkedExample), 8, {0, 2}, "t");
  for (const char* module : {"xl_t_encode", "xl_t_decode"}) {
    CHECK(lint(text.design, module, "-Wno-DECLFILENAME -Wno-MULTITOP") == "");
  }
}

TEST_CASE("nor of Zigzag units") {
  SKIP_WITHOUT_TOOL("verilator");
  for (const SimulatedZigzagUnit& each : simulated_zigzag_units()) {
    CAPTURE(each.spec);
    CHECK(lint(text_of(each, "t").design, "xl_t_zigzag_unit") == "");
  }
}

}  // namespace xorloom
