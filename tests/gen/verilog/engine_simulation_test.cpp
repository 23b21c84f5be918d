#include "equations/cores/list_schedule.hpp"
#include "tests/gen/verilog/simulated_engines.hpp"

// XOR engines by Icarus Verilog, against the results that their testbenches hold.

namespace xorloom {
namespace {

/// The testbench says PASS and nothing else.
std::string simulated(const VerilogText& text, std::size_t clocks) {
  const TemporaryFolder folder;
  write_files(folder, text, "engines.v");
  const std::string complaint = icarus_complaint(
      folder, "engines.v", "xl_t_testbench", fmt::format("-P xl_t_testbench.CLOCKS={}", clocks));
  if (complaint.empty()) CHECK(folder.read("said") == fmt::format("PASS: {} clocks\n", clocks));
  return complaint;
}

}  // namespace

TEST_CASE("Icarus finds the results of engines as they should be, and warns of nothing") {
  SKIP_WITHOUT_TOOL("iverilog");
  // With XORLOOM_HARDWARE_CLOCKS each code meets each number of ranks, and a small code each number
  // of lanes; otherwise a sample. Verilator, which is faster, simulates every combination.
  const bool is_whole = hardware_clocks() != 0;
  for (std::size_t i = 0; i < kSimulatedCodes.size(); ++i) {
    const bool has_all = i + 2 >= kSimulatedCodes.size();
    if (!is_whole && i > 2 && !has_all) continue;
    for (std::size_t ranks = 0; ranks <= kMostSimulatedRanks; ++ranks) {
      for (std::size_t l = 0; l < kSimulatedLanes.size(); ++l) {
        if (has_all ? !is_whole && l != ranks % 3 : l != (i + ranks) % 2) continue;
        CAPTURE(kSimulatedCodes[i]);
        CAPTURE(kSimulatedLanes[l]);
        CAPTURE(ranks);
        const std::size_t gate_inputs = (i + ranks) % 2 == 0 ? 0 : 4;
        CHECK(simulated(engines(kSimulatedCodes[i], kSimulatedLanes[l], ranks, gate_inputs),
                        is_whole ? hardware_clocks() : 200) == "");
      }
    }
  }
}

TEST_CASE("Stages may be the steps of a plan") {
  SKIP_WITHOUT_TOOL("iverilog");
  const Code code = make_code(kWorkedExample);
  const Program direct = direct_encoding(code);
  for (const std::size_t cores : {2U, 6U}) {
    CAPTURE(cores);
    const EngineRequest request{.code = code,
                                .programs = {{"encode", direct}},
                                .plans = {schedule_on_cores(direct, cores)},
                                .lanes = 3,
                                .name = "t"};
    const VerilogText text = write_engines(request);
    CHECK(text.design.find(fmt::format("localparam LATENCY = {};",
                                       makespan(request.plans.front()) - 1)) != std::string::npos);
    CHECK(simulated(text, 200) == "");
  }
}

TEST_CASE("A wrong bit fails the testbench, which says which engine has it") {
  SKIP_WITHOUT_TOOL("iverilog");
  const auto complaint = [](const std::string& right, const std::string& wrong) {
    VerilogText text = engines(kWorkedExample, 2, 1, 4);
    text.design = change(text.design, right, wrong);
    return simulation_complaint(text,
                                "iverilog -g2005 -s xl_t_testbench -o test engines.v testbench.v "
                                "&& vvp -N test");
  };
  // A wrong gate, a row in another's place, and a valid bit that comes too late are found.
  CHECK(has(complaint("assign y = a ^ b ^ c ^ d;", "assign y = a ^ b ^ c ^ (d & c);"),
            "FAIL: xl_t_"));
  CHECK(
      has(complaint("out5[0*LANES +: LANES]", "out5[1*LANES +: LANES]"), "FAIL: xl_t_encode: out"));
  CHECK(has(complaint("was_valid <= valid[LATENCY-1:0]", "was_valid <= was_valid"),
            "FAIL: xl_t_encode: out_valid is"));
}

}  // namespace xorloom
