#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "tests/gen/verilog/simulated_units.hpp"

// Coprocessors in Verilog by Icarus, against the results that their testbenches hold.

namespace xorloom {
namespace {

constexpr const char* kDesign = "design.v";
constexpr const char* kTestbench = "xl_t_coprocessor_testbench";

void write_all(const TemporaryFolder& folder, const VerilogText& text) {
  write_files(folder, text, kDesign);
  if (!text.memory.empty()) folder.write("tiles.mem", text.memory);
}

std::string icarus(const TemporaryFolder& folder, std::size_t clocks) {
  return icarus_complaint(folder, kDesign, kTestbench,
                          fmt::format("-Wno-timescale -P{}.CLOCKS={}", kTestbench, clocks));
}

}  // namespace

TEST_CASE("Icarus finds the words of coprocessors as the oracle computes them, without a warning") {
  SKIP_WITHOUT_TOOL("iverilog");
  for (const SimulatedCoprocessor& simulated : kSimulatedCoprocessors) {
    CAPTURE(simulated.spec);
    const TemporaryFolder folder;
    write_all(folder, text_of(simulated, "t", simulated.shape.lanes == 1));
    CHECK(icarus(folder, hardware_clocks() == 0 ? 500 : 5000) == "");
    CHECK(folder.read("said").starts_with("PASS: "));
  }
}

TEST_CASE("An array of 8 x 8 computes 10+4 and 32+6 in as many clocks as the model says") {
  SKIP_WITHOUT_TOOL("iverilog");
  for (const SimulatedCoprocessor& simulated : kPaperCoprocessors) {
    CAPTURE(simulated.spec);
    const bool is_small = &simulated == kPaperCoprocessors.data();
    const std::size_t k = is_small ? 10 : 32;
    const std::size_t m = is_small ? 4 : 6;
    const TemporaryFolder folder;
    write_all(folder, text_of(simulated, "t"));
    CHECK(icarus(folder, hardware_clocks() == 0 ? 200 : hardware_clocks() / 20) == "");
    // The testbench compares the clocks with this product itself.
    const std::size_t words = (is_small ? 80 : 256) + 64;
    CHECK(has(folder.read("said"), fmt::format("{} words took {} clocks", words,
                                               words * ((k + 7) / 8) * ((m + 7) / 8))));
  }
}

TEST_CASE("A wrong bit in the matrix, in a multiplier or in the control fails the testbench") {
  SKIP_WITHOUT_TOOL("iverilog");
  const SimulatedCoprocessor simulated{"rs:k=5,m=3", {2, 2}, {{0}}};
  const auto complaint = [&](const std::string& right, const std::string& wrong) {
    VerilogText text = text_of(simulated, "t");
    text.design = change(text.design, right, wrong);
    const TemporaryFolder folder;
    write_all(folder, text);
    return icarus(folder, 1000);
  };
  CHECK(has(complaint("tiles[0] = 32'h", "tiles[0] = 32'h1 ^ 32'h"), "FAIL: out is "));
  CHECK(has(complaint("^ (a[1] & b[0])", "^ (a[1] & b[1])"), "FAIL: out is "));
  CHECK(has(complaint("begins[4] ? sum", "begins[3] ? sum"), "FAIL: out is "));
  CHECK(has(complaint("if (load && ", "if (1'b0 && "), "FAIL: out is "));
  CHECK(has(complaint("ends[LATENCY-2];", "1'b1;"), "FAIL: out_valid is 1"));
}

}  // namespace xorloom
