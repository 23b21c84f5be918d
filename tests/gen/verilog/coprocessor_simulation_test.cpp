#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/models/paper_cost.hpp"
#include "gen/verilog/coprocessor_unit.hpp"
#include "tests/gen/verilog/simulation.hpp"
#include "tests/support/worked_example.hpp"

// Coprocessors in Verilog, simulated against the results that their testbenches hold.

namespace xorloom {
namespace {

struct Scene {
  const char* spec;
  MultiplierArray array;
  std::vector<std::vector<std::size_t>> erasures;
  std::size_t lanes = 1;
  std::size_t tiles = 64;
};

VerilogText text_of(const Scene& scene, bool has_memory_file = false) {
  const Code code = make_code(scene.spec);
  VerilogRequest request{.code = code, .erasures = scene.erasures};
  request.lanes = scene.lanes;
  request.name = "t";
  request.array = scene.array;
  request.tiles = scene.tiles;
  if (has_memory_file) request.memory_file = "tiles.mem";
  return write_coprocessor_unit(request);
}

/// Verilator's lint wants a module in a file of its name.
constexpr const char* kDesign = "xl_t_coprocessor.v";
constexpr const char* kTestbench = "xl_t_coprocessor_testbench";

void write_all(const TemporaryFolder& folder, const VerilogText& text) {
  write_files(folder, text, kDesign);
  if (!text.memory.empty()) folder.write("tiles.mem", text.memory);
}

std::string icarus(const TemporaryFolder& folder, std::size_t clocks = 1000) {
  return icarus_complaint(folder, kDesign, kTestbench,
                          fmt::format("-Wno-timescale -P{}.CLOCKS={}", kTestbench, clocks));
}

std::string lint(const TemporaryFolder& folder) {
  return complaint_of(folder, fmt::format("verilator --lint-only -Wall {}", kDesign));
}

/// Every kind of field and arrangement, arrays of any shape, several rows of tiles, lanes.
const std::vector<Scene> kScenes = {
    {"rs:k=10,m=4", {4, 5}, {{0, 3, 11}, {13}}}, {"rs:k=10,m=4", {2, 3}, {{0, 3}}, 3},
    {"rs:k=3,m=2,w=4", {3, 1}, {}, 1, 6},        {"rs:k=3,m=2,w=16", {1, 1}, {{0}}},
    {"rs:k=3,m=2,w=32", {2, 2}, {{0, 1}}},       {"lrc:k=4,m=2,l=3", {3, 3}, {{0}}},
    {"leopard:k=5,m=3", {2, 4}, {{0, 7}}},       {"isa-cauchy:k=4,m=2", {5, 7}, {{1, 2}}, 2},
    {"zigzag:k=3,r=2", {3, 4}, {{1}}},           {"evenodd:k=3", {4, 4}, {{0}}},
    {kWorkedExample, {2, 5}, {{1, 6}}},
};

}  // namespace

TEST_CASE("Icarus finds the words of coprocessors as the oracle computes them, without a warning") {
  SKIP_WITHOUT_TOOL("iverilog");
  for (const Scene& scene : kScenes) {
    CAPTURE(scene.spec);
    const TemporaryFolder folder;
    write_all(folder, text_of(scene, scene.lanes == 1));
    CHECK(icarus(folder) == "");
    CHECK(folder.read("said").starts_with("PASS: "));
  }
}

TEST_CASE("Verilator has no warning of coprocessors, and finds their words right, too") {
  SKIP_WITHOUT_TOOL("verilator");
  for (const Scene& scene : kScenes) {
    CAPTURE(scene.spec);
    const TemporaryFolder folder;
    write_all(folder, text_of(scene));
    CHECK(lint(folder) == "");
    if (&scene != &kScenes.back()) continue;
    CHECK(verilator_complaint(folder, kDesign, kTestbench, 100'000) == "");
  }
}

TEST_CASE("An array of 8 x 8 computes 10+4 and 32+6 in as many clocks as the model says") {
  SKIP_WITHOUT_TOOL("iverilog");
  for (const std::size_t k : {10U, 32U}) {
    const std::size_t m = k == 10 ? 4 : 6;
    CAPTURE(k);
    const Scene scene{k == 10 ? "rs:k=10,m=4" : "rs:k=32,m=6", {8, 8}, {}};
    const TemporaryFolder folder;
    write_all(folder, text_of(scene));
    CHECK(icarus(folder) == "");
    // The testbench compares the clocks with this product itself.
    const std::size_t words = (k == 10 ? 80 : 256) + 64;
    CHECK(has(folder.read("said"),
              fmt::format("{} words took {} clocks", words, words * array_clocks(k, m, 8, 8))));
    if (hardware_clocks() == 0) continue;
    if (is_on_path("verilator")) {
      CHECK(verilator_complaint(folder, kDesign, kTestbench, hardware_clocks()) == "");
    }
    CHECK(icarus(folder, hardware_clocks()) == "");
  }
}

TEST_CASE("A wrong bit in the matrix, in a multiplier or in the control fails the testbench") {
  SKIP_WITHOUT_TOOL("iverilog");
  const Scene scene{"rs:k=5,m=3", {2, 2}, {{0}}};
  const auto complaint = [&](const std::string& right, const std::string& wrong) {
    VerilogText text = text_of(scene);
    text.design = change(text.design, right, wrong);
    const TemporaryFolder folder;
    write_all(folder, text);
    return icarus(folder);
  };
  CHECK(has(complaint("tiles[0] = 32'h", "tiles[0] = 32'h1 ^ 32'h"), "FAIL: out is "));
  CHECK(has(complaint("^ (a[1] & b[0])", "^ (a[1] & b[1])"), "FAIL: out is "));
  CHECK(has(complaint("begins[4] ? sum", "begins[3] ? sum"), "FAIL: out is "));
  CHECK(has(complaint("if (load && ", "if (1'b0 && "), "FAIL: out is "));
  CHECK(has(complaint("ends[LATENCY-2];", "1'b1;"), "FAIL: out_valid is 1"));
}

}  // namespace xorloom
