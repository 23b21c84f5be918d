#include "equations/passes/gate_trees.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/random_program.hpp"

namespace xorloom {
namespace {

TEST_CASE("A sum takes a gate for each inputs - 1 values beyond the first") {
  for (std::size_t inputs = 2; inputs <= 7; ++inputs) {
    CHECK(gates_of_sum(0, inputs) == 0);
    CHECK(gates_of_sum(1, inputs) == 0);
    for (std::size_t operands = 2; operands < 40; ++operands) {
      std::size_t gates = 0;
      for (std::size_t values = operands; values > 1; ++gates) {
        values -= std::min(inputs - 1, values - 1);
      }
      CHECK(gates_of_sum(operands, inputs) == gates);
    }
  }
}

TEST_CASE("A tree takes what is there first at its bottom, with free inputs in the first gate") {
  // A is a level late. Of five inputs and A, four go into a gate first.
  const Program program{
      8, 1, {0, 1, 2, 3, 4, 5}, {6, 7}, {{8, {0, 1}}, {6, {1, 2, 3, 4, 8}}, {7, {0, 8}}}};
  const Program trees = gate_trees(program, 4);
  CHECK(trees.equations ==
        std::vector<Equation>{{8, {0, 1}}, {9, {1, 2}}, {6, {3, 4, 8, 9}}, {7, {0, 8}}});
  CHECK(gate_depth(trees) == 2);
  CHECK_THROWS_AS(gate_trees(program, 1), Error);
}

TEST_CASE("Trees compute the same in as many gates as were counted, and at no more depth") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const Program program = random_program(9, 4, 20, seed);
    for (const std::size_t inputs : {2U, 3U, 4U, 6U}) {
      const Program trees = gate_trees(program, inputs);
      check_program(trees);
      prove(trees, program);
      std::size_t gates = 0;
      for (const Equation& equation : trees.equations) {
        CHECK(equation.operands.size() <= inputs);
        if (equation.operands.size() > 1) ++gates;
      }
      CHECK(gates == num_gates(program, inputs));
      if (inputs == 2) CHECK(gate_depth(trees) == cost(program).critical_path);
    }
  }
}

TEST_CASE("Fusing for wide gates keeps what is computed and never takes more gates") {
  std::size_t saved = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = test::random_matrix(12, 20, seed);
    const Program direct = direct_program(matrix);
    const Program program = fuse_single_use(program_of(share_pairs(direct), direct));
    for (const std::size_t inputs : {4U, 6U}) {
      const Program fused = fuse_wide(program, inputs);
      check_program(fused);
      CHECK(evaluate_symbolically(fused) == matrix);
      CHECK(num_gates(fused, inputs) <= num_gates(program, inputs));
      saved += num_gates(program, inputs) - num_gates(fused, inputs);
    }
    CHECK(fuse_wide(program, 3) == fuse_three_way(program));
  }
  CHECK(saved > 200);
}

}  // namespace

TEST_CASE("long equations become chains of temporaries") {
  const Program program{1, 9, {0, 1, 2, 3, 4, 5, 6}, {7}, {{7, {0, 1, 2, 3, 4, 5, 6}}}};
  CHECK(limit_operands(program, 3).equations ==
        std::vector<Equation>{{9, {0, 1, 2}}, {10, {3, 4, 9}}, {7, {5, 6, 10}}});
  CHECK(limit_operands(program, 7) == program);
}

TEST_CASE("no equation has more operands, and what is computed and its XORs stay the same") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Program program = random_program(7, 3, 20, seed);
    for (const std::size_t most : std::vector<std::size_t>{2, 3, 5, 9, 100}) {
      CAPTURE(seed);
      CAPTURE(most);
      const Program limited = limit_operands(program, most);
      CHECK_NOTHROW(check_program(limited));
      CHECK(std::ranges::all_of(limited.equations, [&](const Equation& equation) {
        return equation.operands.size() <= most;
      }));
      CHECK(!find_disagreement(limited, evaluate_symbolically(program)));
      CHECK(cost(limited).xors == cost(program).xors);
    }
  }
}

TEST_CASE("a sum of fewer than two operands is refused") {
  try {
    (void)limit_operands(Program{}, 1);
    FAIL("it is not refused");
  } catch (const Error& error) {
    CHECK(error.kind() == Status::kInvalidArgument);
    CHECK(std::string(error.what()) == "most = 1 operands is less than the 2 a sum needs");
  }
}

}  // namespace xorloom
