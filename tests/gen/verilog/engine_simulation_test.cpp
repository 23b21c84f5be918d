#include "equations/cores/list_schedule.hpp"
#include "tests/gen/verilog/simulated_engines.hpp"

// XOR engines by Icarus Verilog, against the results that their testbenches hold.

namespace xorloom {
namespace {

/// Warnings are errors; the testbench says PASS and nothing else.
std::string simulated(const VerilogText& text, std::size_t clocks) {
  return simulation_complaint(
      text, fmt::format("iverilog -g2005 -Wall -s xl_t_testbench -P xl_t_testbench.CLOCKS={0} -o "
                        "test engines.v testbench.v >said 2>&1 && cat said && test ! -s said && "
                        "vvp -N test | tee pass && test \"$(cat pass)\" = 'PASS: {0} clocks'",
                        clocks));
}

}  // namespace

TEST_CASE("Icarus finds the results of engines as they should be, and warns of nothing") {
  SKIP_WITHOUT_TOOL("iverilog");
  const std::vector<std::string> sample = {kWorkedExample, "rs:k=3,m=2,w=4", "x-code:p=5"};
  for_engines(
      hardware_clocks() != 0 ? kSimulatedCodes : sample, 200,
      [](const VerilogText& text, std::size_t clocks) { CHECK(simulated(text, clocks) == ""); });
}

TEST_CASE("Stages may be the steps of a plan") {
  SKIP_WITHOUT_TOOL("iverilog");
  const Code code = make_code(kWorkedExample);
  const Program direct = direct_encoding(code);
  for (const std::size_t cores : {2U, 6U}) {
    CAPTURE(cores);
    const VerilogRequest request{.code = code,
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
    const std::size_t at = text.design.find(right);
    REQUIRE(at != std::string::npos);
    text.design.replace(at, right.size(), wrong);
    return simulation_complaint(text,
                                "iverilog -g2005 -s xl_t_testbench -o test engines.v testbench.v "
                                "&& vvp -N test");
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  // One bit of one gate, a row that goes to another place, and a valid bit that comes too late.
  CHECK(has(complaint("assign y = a ^ b ^ c ^ d;", "assign y = a ^ b ^ c ^ (d & c);"),
            "FAIL: xl_t_"));
  CHECK(
      has(complaint("out5[0*LANES +: LANES]", "out5[1*LANES +: LANES]"), "FAIL: xl_t_encode: out"));
  CHECK(has(complaint("was_valid <= valid[LATENCY-1:0]", "was_valid <= was_valid"),
            "FAIL: xl_t_encode: out_valid is"));
}

}  // namespace xorloom
