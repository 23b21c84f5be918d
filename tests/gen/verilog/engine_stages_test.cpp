#include "gen/verilog/engine_stages.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/passes/drop_equations.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/passes/gate_trees.hpp"
#include "equations/search/optimize.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

/// Checks that stages are in order, and as flat as `engine.ranks` ranks allow.
void check_stages(const EngineStages& engine) {
  const std::vector<std::size_t> first = value_stages(engine).made;
  REQUIRE(engine.stage_of.size() == engine.program.equations.size());
  for (std::size_t i = 0; i < engine.stage_of.size(); ++i) {
    CHECK(engine.stage_of[i] <= engine.ranks);
    for (const Element operand : engine.program.equations[i].operands) {
      CHECK(first[operand] <= engine.stage_of[i]);
    }
  }
  const std::size_t depth = gate_depth(engine.program);
  CHECK(engine_size(engine).depth == depth);
  CHECK(engine_size(engine).stage_depth <=
        std::max<std::size_t>(1, (depth + engine.ranks) / (engine.ranks + 1)));
}

/// The fewest registers of any cut, by trying every stage for every equation.
std::size_t fewest_registers(const Program& program, std::size_t ranks) {
  const std::size_t most = std::max<std::size_t>(1, (gate_depth(program) + ranks) / (ranks + 1));
  EngineStages engine{program, ranks, std::vector<std::size_t>(program.equations.size(), 0)};
  std::size_t fewest = static_cast<std::size_t>(-1);
  for (;;) {
    const std::vector<std::size_t> first = value_stages(engine).made;
    bool is_in_order = true;
    for (std::size_t i = 0; i < engine.stage_of.size(); ++i) {
      for (const Element operand : program.equations[i].operands) {
        is_in_order = is_in_order && first[operand] <= engine.stage_of[i];
      }
    }
    if (is_in_order) {
      const EngineSize size = engine_size(engine);
      if (size.stage_depth <= most) fewest = std::min(fewest, size.registers);
    }
    std::size_t i = 0;
    while (i < engine.stage_of.size() && engine.stage_of[i] == ranks) engine.stage_of[i++] = 0;
    if (i == engine.stage_of.size()) return fewest;
    ++engine.stage_of[i];
  }
}

}  // namespace

TEST_CASE("A cut has the fewest registers of all cuts into stages as flat as that") {
  std::size_t tried = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Program program = drop_unread(drop_copies(random_program(3, 3, 4, seed)));
    if (program.equations.size() > 8) continue;
    ++tried;
    for (const std::size_t ranks : {1U, 2U, 3U}) {
      CAPTURE(ranks);
      const EngineStages engine = cut_into_stages(program, ranks);
      check_stages(engine);
      CHECK(engine_size(engine).registers == fewest_registers(program, ranks));
    }
  }
  CHECK(tried > 100);
}

TEST_CASE("A cut goes where few values are: behind a sum that takes the place of its operands") {
  // 8 inputs, two sums of four, an output of both: a rank between the levels holds two values.
  const Program program{
      9, 1, {0, 1, 2, 3, 4, 5, 6, 7}, {8}, {{9, {0, 1, 2, 3}}, {10, {4, 5, 6, 7}}, {8, {9, 10}}}};
  const EngineStages engine = cut_into_stages(program, 1);
  CHECK(engine.stage_of == std::vector<std::size_t>{0, 0, 1});
  CHECK(engine_size(engine) == EngineSize{3, 4, 2, 1, 2});
  // With more ranks than levels the result alone is held, once for each.
  CHECK(engine_size(cut_into_stages(program, 4)).registers == 2 + 3);
  CHECK(engine_size(cut_into_stages(program, 0)).registers == 0);
}

TEST_CASE("Codes are cut at any number of ranks, shared equations too") {
  for (const char* const spec : {kWorkedExample, "cauchy-good:k=6,m=3,w=8", "rs:k=4,m=2"}) {
    CAPTURE(spec);
    const Program direct = direct_encoding(make_code(spec));
    for (const Program& program : {direct, optimize(direct, {.effort = Effort::kFast})}) {
      for (std::size_t ranks = 0; ranks <= 6; ++ranks) {
        check_stages(cut_into_stages(gate_trees(fuse_wide(program, 4), 4), ranks));
      }
    }
  }
}

}  // namespace xorloom
