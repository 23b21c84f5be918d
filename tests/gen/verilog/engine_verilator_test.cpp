#include "tests/gen/verilog/simulated_engines.hpp"

// XOR engines by Verilator: its lint, and its simulation against the results of testbenches.

namespace xorloom {

TEST_CASE("Verilator's lint has nothing to say of engines and testbenches") {
  SKIP_WITHOUT_TOOL("verilator");
  std::vector<std::string> specs = kSimulatedCodes;
  specs.insert(specs.end(), kMoreSimulatedCodes.begin(), kMoreSimulatedCodes.end());
  for (const std::string& spec : specs) {
    CAPTURE(spec);
    for (const std::size_t ranks : {0U, 2U}) {
      for (const std::size_t gates : {0U, 6U}) {
        if (hardware_clocks() == 0 && (ranks == 0) != (gates == 0)) continue;
        CHECK(simulation_complaint(
                  engines(spec, 3, ranks, gates),
                  "verilator --lint-only --timing -Wall --top xl_t_testbench engines.v "
                  "testbench.v >said 2>&1; cat said; test ! -s said") == "");
      }
    }
  }
}

TEST_CASE("Verilator finds the results of engines as they should be") {
  SKIP_WITHOUT_TOOL("verilator");
  const auto simulate = [](const VerilogText& text, std::size_t clocks) {
    CHECK(simulation_complaint(
              text, fmt::format("verilator --binary -CFLAGS -O1 --top xl_t_testbench -GCLOCKS={0} "
                                "engines.v testbench.v >said 2>&1 || {{ cat said; exit 1; }}; "
                                "obj_dir/Vxl_t_testbench | tee pass && grep -qx 'PASS: {0} clocks' "
                                "pass",
                                clocks)) == "");
  };
  if (hardware_clocks() == 0) return simulate(engines("rs:k=3,m=2,w=4", 8, 2, 4), 1000);
  for_engines(kSimulatedCodes, 0, simulate);
  for_engines(kMoreSimulatedCodes, 0, simulate);
}

}  // namespace xorloom
