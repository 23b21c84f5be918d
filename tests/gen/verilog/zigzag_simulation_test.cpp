#include <doctest/doctest.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/gen/verilog/simulated_units.hpp"

// Zigzag units in Verilog, simulated against bytes of the oracle.

namespace xorloom {
namespace {

/// Writes a unit, which it returns, and its testbench.
std::string write(const TemporaryFolder& folder, const SimulatedZigzagUnit& simulated) {
  const VerilogText text = text_of(simulated, "t");
  write_files(folder, text, "unit.v");
  return text.design;
}

std::string icarus(const TemporaryFolder& folder) {
  return icarus_complaint(folder, "unit.v", "xl_t_testbench");
}

std::string last_line(const TemporaryFolder& folder) {
  return complaint_of(folder, "tail -n 1 said | grep -q '^PASS: .* words, none wrong$'");
}

}  // namespace

TEST_CASE("Icarus finds what units encode and rebuild as it should be, each word read once") {
  SKIP_WITHOUT_TOOL("iverilog");
  for (const SimulatedZigzagUnit& simulated : simulated_zigzag_units()) {
    CAPTURE(simulated.spec);
    CAPTURE(simulated.options.lanes);
    CAPTURE(simulated.options.slice_words);
    const TemporaryFolder folder;
    write(folder, simulated);
    CHECK(icarus(folder) == "");
    CHECK(last_line(folder) == "");
  }
}

TEST_CASE("a wrong bit in a table or a multiplier fails the testbench") {
  SKIP_WITHOUT_TOOL("iverilog");
  const TemporaryFolder folder;
  const std::string unit = write(folder, {"zigzag:k=4,r=2", {.lanes = 2, .slice_words = 2}});
  for (const std::pair<std::string, std::string>& planted :
       std::vector<std::pair<std::string, std::string>>{
           {"outputs[9] = {3'd5, 3'd1,", "outputs[9] = {3'd5, 3'd0,"},
           {"sources[40] = {3'd", "sources[40] = 6'd1 ^ {3'd"},
           {"product_of_bank_3 = {a[6],", "product_of_bank_3 = {a[5],"}}) {
    CAPTURE(planted.first);
    folder.write("unit.v", change(unit, planted.first, planted.second));
    CHECK(icarus(folder) != "");
    CHECK(complaint_of(folder, "grep -q '^FAIL: [0-9]* words are wrong$' said") == "");
  }
}

TEST_CASE("a unit takes as many look-up tables as docs/zigzag-unit.md says") {
  SKIP_WITHOUT_TOOL("yosys");
  if (hardware_clocks() == 0) {
    MESSAGE("synthesis takes long: set XORLOOM_HARDWARE_CLOCKS to try it");
    return;
  }
  const TemporaryFolder folder;
  write(folder, {"zigzag:k=4,r=2", {.lanes = 8}, {}, {.element_words = 2}});
  REQUIRE(complaint_of(folder,
                       "yosys -q -p 'read_verilog unit.v; synth_xilinx -family xc7 -nowidelut -top "
                       "xl_t_zigzag_unit; tee -o cells stat' >log 2>&1") == "");
  std::istringstream cells(folder.read("cells"));
  std::size_t luts = 0;
  std::size_t banks = 0;
  for (std::string name; cells >> name;) {
    std::size_t count = 0;
    const bool is_lut = name.starts_with("LUT") || name == "INV";
    if ((is_lut || name == "RAMB36E1") && cells >> count) (is_lut ? luts : banks) += count;
  }
  CHECK(banks == 4);
  CHECK(static_cast<double>(luts) == doctest::Approx(899).epsilon(0.05));  // Yosys 0.23
}

}  // namespace xorloom
