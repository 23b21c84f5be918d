#include <doctest/doctest.h>

#include <string>

#include "tests/gen/verilog/simulated_units.hpp"

// XOR engines through which elements stream, simulated against what their testbenches hold.

namespace xorloom {
namespace {

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
      CHECK(icarus(folder, streamed_engines(make_code(spec), lanes, {0, 2}, "t")) == "");
      CHECK(folder.read("said").starts_with("PASS: "));
    }
  }
}

TEST_CASE(
    "A wrong bit in the equations or in an engine fails the testbench and says which module") {
  SKIP_WITHOUT_TOOL("iverilog");
  const auto complaint = [&](const std::string& right, const std::string& wrong) {
    VerilogText text = streamed_engines(make_code(kWorkedExample), 3, {1}, "t");
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
