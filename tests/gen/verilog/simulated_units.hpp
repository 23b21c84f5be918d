#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/request/request.hpp"
#include "equations/search/optimize.hpp"
#include "gen/verilog/coprocessor.hpp"
#include "gen/verilog/xor_engines.hpp"
#include "gen/verilog/zigzag_unit.hpp"
#include "tests/gen/verilog/simulation.hpp"
#include "tests/support/worked_example.hpp"

// Coprocessors, streamed engines and Zigzag units with their testbenches, for tests that simulate
// them.

namespace xorloom {

struct SimulatedCoprocessor {
  std::string spec;
  CoprocessorShape shape;
  std::vector<std::vector<std::size_t>> erasures{};
};

/// Every kind of field and arrangement, arrays of any shape, several rows of tiles, lanes.
inline const std::vector<SimulatedCoprocessor> kSimulatedCoprocessors = {
    {"rs:k=10,m=4", {4, 5, 64}, {{0, 3, 11}, {13}}},
    {"rs:k=10,m=4", {2, 3, 64, 3}, {{0, 3}}},
    {"rs:k=3,m=2,w=4", {3, 1, 6}},
    {"rs:k=3,m=2,w=16", {1, 1, 64}, {{0}}},
    {"rs:k=3,m=2,w=32", {2, 2, 64}, {{0, 1}}},
    {"lrc:k=4,m=2,l=3", {3, 3, 64}, {{0}}},
    {"leopard:k=5,m=3", {2, 4, 64}, {{0, 7}}},
    {"isa-cauchy:k=4,m=2", {5, 7, 64, 2}, {{1, 2}}},
    {"zigzag:k=3,r=2", {3, 4, 64}, {{1}}},
    {"evenodd:k=3", {4, 4, 64}, {{0}}},
    {kWorkedExample, {2, 5, 64}, {{1, 6}}},
};

/// The arrays of the paper.
inline const std::vector<SimulatedCoprocessor> kPaperCoprocessors = {{"rs:k=10,m=4", {8, 8, 64}},
                                                                     {"rs:k=32,m=6", {8, 8, 64}}};

inline VerilogText text_of(const SimulatedCoprocessor& simulated, const std::string& name,
                           bool has_memory_file = false) {
  const Code code = make_code(simulated.spec);
  CoprocessorRequest request{
      .code = code, .erasures = simulated.erasures, .shape = simulated.shape, .name = name};
  if (has_memory_file) request.memory_file = "tiles.mem";
  return write_coprocessor(request);
}

/// Engines through which elements stream: one encodes directly, one rebuilds by equations that
/// share sums.
inline VerilogText streamed_engines(const Code& code, std::size_t lanes,
                                    const std::vector<std::size_t>& lost, const std::string& name) {
  StreamRequest request{.code = code, .lanes = lanes, .name = name};
  request.programs.push_back({"encode", direct_program(code, Request{})});
  const Program start = searched_program(code, {.erased = lost});
  request.programs.push_back({"decode", optimize(start, {.effort = Effort::kFast})});
  return write_xor_engines_unit(request);
}

struct SimulatedZigzagUnit {
  std::string spec;
  ZigzagUnitOptions options;
  std::vector<std::vector<std::size_t>> losses{};
  UnitTestOptions test{};
};

/// Small sizes of all shapes; or all k and r, and the sizes of the paper.
inline std::vector<SimulatedZigzagUnit> simulated_zigzag_units() {
  std::vector<SimulatedZigzagUnit> all{
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
  if (hardware_clocks() == 0) return all;
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

inline VerilogText text_of(const SimulatedZigzagUnit& simulated, const std::string& name) {
  const Code code = make_code(simulated.spec);
  ZigzagUnitOptions options = simulated.options;
  options.name = name;
  return write_zigzag(code, simulated.losses, options, simulated.test);
}

}  // namespace xorloom
