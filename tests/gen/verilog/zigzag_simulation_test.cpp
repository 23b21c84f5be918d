#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "gen/verilog/zigzag_unit_testbench.hpp"
#include "tests/gen/verilog/simulation.hpp"

// Zigzag units in Verilog, simulated against bytes of the oracle.

namespace xorloom {
namespace {

struct Simulated {
  std::string spec;
  ZigzagUnitOptions options;
  std::vector<std::vector<std::size_t>> losses{};
  UnitTestOptions test{};
};

bool is_whole() { return hardware_clocks() != 0; }

/// Small sizes of all shapes, or all k and r, and the sizes of the paper.
std::vector<Simulated> simulated_units() {
  std::vector<Simulated> all{
      {"zigzag:k=4,r=2", {.lanes = 8, .slice_words = 8}},
      {"zigzag:k=4,r=2", {.lanes = 1, .slice_words = 4, .buffers = 2}},
      {"zigzag:k=4,r=2", {.lanes = 64, .slice_words = 2}, {{2}}},
      {"zigzag:k=1,r=2", {.lanes = 1, .slice_words = 2}},
      {"zigzag:k=1,r=4", {.lanes = 2, .slice_words = 8, .buffers = 2}},
      {"zigzag:k=3,r=3", {.lanes = 2, .slice_words = 4}},
      {"zigzag:k=5,r=2,w=16", {.lanes = 1, .slice_words = 4}},
      {"zigzag:k=3,r=2,w=4", {.lanes = 1, .slice_words = 4}},
      {"zigzag:k=2,r=4,w=32", {.lanes = 1, .slice_words = 4, .buffers = 2}},
      {"rs:k=6,m=3", {.lanes = 2, .slice_words = 16, .buffers = 2}, {{0}, {7}, {1, 4}}},
      {"rs:k=3,m=20", {.lanes = 2, .slice_words = 2}, {{0}}},
      {"zigzag:k=4,r=2", {.lanes = 2, .slice_words = 4}, {}, {.stripes = 1, .latency = 1}},
  };
  if (!is_whole()) return all;
  for (std::size_t k = 1; k <= 7; ++k) {
    for (std::size_t r = 2; r <= 4; ++r) {
      if (r > 2 && k > 4) continue;
      all.push_back({fmt::format("zigzag:k={},r={}", k, r), {.lanes = 2, .slice_words = 8}});
    }
  }
  for (const std::size_t lanes : {1U, 8U, 64U}) {
    all.push_back({"zigzag:k=4,r=2",
                   {.lanes = lanes},
                   {},
                   {.element_words = 250, .stripes = 2, .latency = 30}});
  }
  return all;
}

/// Writes a unit, which it returns, and its testbench.
std::string write(const TemporaryFolder& folder, const Simulated& simulated) {
  const Code code = make_code(simulated.spec);
  ZigzagUnitOptions options = simulated.options;
  options.name = "t";
  const UnitPlan plan = unit_plan(code, simulated.losses);
  const VerilogText text{write_zigzag_unit(code, plan, options),
                         write_zigzag_unit_testbench(code, plan, options, simulated.test)};
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
  for (const Simulated& simulated : simulated_units()) {
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
  if (!is_whole()) {
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

TEST_CASE("units are clean to Verilator's lint") {
  SKIP_WITHOUT_TOOL("verilator");
  for (const Simulated& simulated : simulated_units()) {
    CAPTURE(simulated.spec);
    const TemporaryFolder folder;
    write(folder, simulated);
    CHECK(complaint_of(folder, "verilator --lint-only -Wall unit.v") == "");
  }
}

TEST_CASE("Verilator finds the same") {
  SKIP_WITHOUT_TOOL("verilator");
  const std::vector<Simulated> all = simulated_units();
  for (std::size_t i = 0; i < (is_whole() ? all.size() : 1); ++i) {
    CAPTURE(all[i].spec);
    const TemporaryFolder folder;
    write(folder, all[i]);
    CHECK(complaint_of(folder,
                       "verilator --binary -Wall -O0 -CFLAGS -O0 --top xl_t_testbench unit.v "
                       "testbench.v && obj_dir/Vxl_t_testbench | grep -v '[$]finish' >said") == "");
    CHECK(last_line(folder) == "");
  }
}

}  // namespace xorloom
