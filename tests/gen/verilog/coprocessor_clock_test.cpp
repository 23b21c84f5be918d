#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "gen/verilog/coprocessor.hpp"
#include "tests/gen/verilog/simulation.hpp"

// The clock of a coprocessor that is placed and routed on an iCE40-HX8K.

namespace xorloom {
namespace {

/// All ports of the coprocessor as registers that are shifted in and out bit by bit, since the chip
/// has fewer pins.
std::string harness(std::size_t side) {
  const std::size_t row_bits = side == 2 ? 1 : 3;
  const std::size_t data = side * 8;
  return fmt::format(
      "module harness (input wire clk, input wire serial_in, output wire serial_out);\n"
      "  reg [{inputs}:0] given;\n"
      "  reg [{outputs}:0] kept;\n"
      "  wire in_ready, out_valid;\n"
      "  wire [{data}-1:0] out;\n"
      "  wire reset, load, in_valid;\n"
      "  wire [7:0] load_tile, first_tile, last_column;\n"
      "  wire [{rows}-1:0] load_row;\n"
      "  wire [{data}-1:0] in;\n"
      "  assign {{reset, load, load_tile, load_row, in_valid, in, first_tile, last_column}} = "
      "given;\n"
      "  xl_t_coprocessor coprocessor (\n"
      "      .clk(clk), .reset(reset), .load(load), .load_tile(load_tile), .load_row(load_row),\n"
      "      .in_valid(in_valid), .in_ready(in_ready), .in(in), .first_tile(first_tile),\n"
      "      .last_column(last_column), .out_valid(out_valid), .out(out));\n"
      "  always @(posedge clk) given <= {{given[{inputs}-1:0], serial_in}};\n"
      "  always @(posedge clk)\n"
      "    kept <= in_valid ? {{in_ready, out_valid, out}} : {{kept[{outputs}-1:0], 1'b0}};\n"
      "  assign serial_out = kept[{outputs}];\n"
      "endmodule\n",
      fmt::arg("inputs", 3 + 3 * 8 + row_bits + data - 1), fmt::arg("outputs", data + 1),
      fmt::arg("data", data), fmt::arg("rows", row_bits));
}

/// The clock that nextpnr reaches with a seed, in MHz. The frequency asked for is low, since
/// nextpnr fails if it misses that.
double megahertz(const TemporaryFolder& folder, std::size_t seed) {
  CHECK(complaint_of(folder, fmt::format("nextpnr-ice40 -q --hx8k --package ct256 --freq 20 --seed "
                                         "{} --json design.json --report report.json",
                                         seed)) == "");
  const std::string report = folder.read("report.json");
  const std::size_t at = report.find("\"achieved\"");
  REQUIRE(at != std::string::npos);
  return std::strtod(report.c_str() + report.find(':', at) + 1, nullptr);
}

}  // namespace

TEST_CASE("A coprocessor runs at 124 MHz on an iCE40-HX8K, as the paper's on its FPGA") {
  SKIP_WITHOUT_TOOL("yosys");
  SKIP_WITHOUT_TOOL("nextpnr-ice40");
  // The paper's 8 x 8 take minutes, four multipliers seconds.
  const bool is_whole = hardware_clocks() != 0;
  const std::size_t side = is_whole ? 8 : 2;
  const Code code = make_code(is_whole ? "rs:k=10,m=4" : "rs:k=4,m=2");
  const TemporaryFolder folder;
  folder.write("design.v",
               write_coprocessor({.code = code, .shape = {side, side}, .name = "t"}).design);
  folder.write("harness.v", harness(side));
  const std::string synthesis =
      "read_verilog design.v harness.v; synth_ice40 -top harness -json design.json";
  REQUIRE(complaint_of(folder, fmt::format("yosys -q -p '{}'", synthesis)) == "");
  std::vector<double> reached;
  for (const std::size_t seed : {1U, 2U, 3U}) reached.push_back(megahertz(folder, seed));
  std::ranges::sort(reached);
  MESSAGE("8-bit multipliers, " << side << " x " << side << ": " << reached[1] << " MHz");
  CHECK(reached[1] >= 124);
}

}  // namespace xorloom
