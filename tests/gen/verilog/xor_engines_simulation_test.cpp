#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/request/request.hpp"
#include "equations/search/optimize.hpp"
#include "gen/verilog/xor_engines.hpp"
#include "tests/gen/verilog/simulation.hpp"
#include "tests/support/worked_example.hpp"

// XOR engines through which elements stream, simulated against what their testbenches hold.

namespace xorloom {
namespace {

/// Encoding directly, and rebuilding by equations that share sums.
VerilogText text_of(const Code& code, std::size_t lanes, const std::vector<std::size_t>& lost) {
  VerilogRequest request{.code = code, .lanes = lanes, .name = "t"};
  request.programs.push_back({"encode", direct_program(code, Request{})});
  const Program start = searched_program(code, {.erased = lost});
  request.programs.push_back({"decode", optimize(start, {.effort = Effort::kFast})});
  return write_xor_engines_unit(request);
}

std::string icarus(const TemporaryFolder& folder, const VerilogText& text) {
  write_files(folder, text, "engines.v");
  return icarus_complaint(folder, "engines.v", "xl_t_testbench", "-Wno-timescale");
}

}  // namespace

TEST_CASE("Icarus finds the results of streamed engines as they should be, without a warning") {
  SKIP_WITHOUT_TOOL("iverilog");
  for (const char* spec : {kWorkedExample, "cauchy-good:k=10,m=4", "evenodd:k=5", "rs:k=4,m=2",
                           "liberation:k=5", "hover:k=5,r=3,v=2,h=1"}) {
    for (const std::size_t lanes : {1U, 8U, 33U}) {
      CAPTURE(spec);
      CAPTURE(lanes);
      const TemporaryFolder folder;
      CHECK(icarus(folder, text_of(make_code(spec), lanes, {0, 2})) == "");
      CHECK(folder.read("said").starts_with("PASS: "));
    }
  }
}

TEST_CASE("Verilator has no warning of streamed engines, and finds their results right, too") {
  SKIP_WITHOUT_TOOL("verilator");
  const TemporaryFolder folder;
  write_files(folder, text_of(make_code(kWorkedExample), 8, {0, 2}), "engines.v");
  for (const char* module : {"xl_t_encode", "xl_t_decode"}) {
    CHECK(complaint_of(folder, fmt::format("verilator --lint-only -Wall -Wno-DECLFILENAME "
                                           "-Wno-MULTITOP --top {} engines.v",
                                           module)) == "");
  }
  CHECK(verilator_complaint(folder, "engines.v", "xl_t_testbench", 100'000) == "");
}

TEST_CASE(
    "A wrong bit in the equations or in an engine fails the testbench and says which module") {
  SKIP_WITHOUT_TOOL("iverilog");
  const auto complaint = [&](const std::string& right, const std::string& wrong) {
    VerilogText text = text_of(make_code(kWorkedExample), 3, {1});
    text.design = change(text.design, right, wrong);
    const TemporaryFolder folder;
    return icarus(folder, text);
  };
  CHECK(has(complaint("takes[2] = 6'b111011;", "takes[2] = 6'b111001;"),
            "FAIL: xl_t_encode: out is "));
  CHECK(has(complaint("(begins[1] ?", "(begins[0] ?"), "FAIL: xl_t_encode: out is "));
  CHECK(has(complaint("ends[LATENCY-2];", "1'b1;"), "FAIL: xl_t_encode: out_valid is 1"));
}

}  // namespace xorloom
