#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "gen/verilog/engine.hpp"
#include "tests/support/compilers.hpp"
#include "tests/support/hardware_tools.hpp"
#include "tests/support/worked_example.hpp"

// XOR engines in Verilog, simulated against the results that their testbenches hold.

namespace xorloom {
namespace {

VerilogRequest direct_request(const Code& code, std::size_t lanes, std::size_t ranks,
                              const std::vector<std::vector<std::size_t>>& losses) {
  VerilogRequest request{.code = code, .lanes = lanes, .ranks = ranks, .name = "t"};
  request.programs.push_back({"encode", direct_encoding(code)});
  for (const auto& lost : losses) {
    request.programs.push_back(
        {fmt::format("decode_{}", fmt::join(lost, "_")), direct_decoding(code, lost)});
  }
  return request;
}

const std::string kSimulate =
    "iverilog -g2005 -Wall -s xl_t_testbench -o test engines.v testbench.v && vvp -N test";

}  // namespace

TEST_CASE("Icarus finds the results of engines as they should be") {
  SKIP_WITHOUT_TOOL("iverilog");
  for (const char* const spec : {kWorkedExample, "rs:k=3,m=2"}) {
    for (const std::size_t lanes : {1U, 3U}) {
      CAPTURE(spec);
      CAPTURE(lanes);
      const TemporaryFolder folder;
      const Code code = make_code(spec);
      const VerilogText text = write_engines(direct_request(code, lanes, 0, {{0, 3}}));
      folder.write("engines.v", text.design);
      folder.write("testbench.v", text.testbench);
      CHECK(complaint_of(folder, kSimulate + " | grep -qx 'PASS: 1000 clocks'") == "");
    }
  }
}

TEST_CASE("a wrong bit fails the testbench, and says which engine has it") {
  SKIP_WITHOUT_TOOL("iverilog");
  const TemporaryFolder folder;
  const Code code = make_code(kWorkedExample);
  VerilogText text = write_engines(direct_request(code, 1, 0, {{0, 3}}));
  const std::string right = "wire [LANES-1:0] e15 = e2 ^ e3";
  const std::size_t at = text.design.find(right);
  REQUIRE(at != std::string::npos);
  folder.write("engines.v", text.design.replace(at, right.size(), right + " ^ e0"));
  folder.write("testbench.v", text.testbench);
  const std::string complaint = complaint_of(folder, kSimulate);
  CHECK(complaint.find("FAIL: xl_t_encode: out is ") != std::string::npos);
}

}  // namespace xorloom
