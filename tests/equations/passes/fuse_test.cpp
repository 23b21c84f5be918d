#include "equations/passes/fuse.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

TEST_CASE("A temporary of one reader is written into it, one of several stays") {
  // A = 0+1, B = A+2, 4 = B+3, 5 = A+3: B goes, A stays and is the first temporary.
  const Program program{
      6, 1, {0, 1, 2, 3}, {4, 5}, {{6, {0, 1}}, {7, {2, 6}}, {4, {3, 7}}, {5, {3, 6}}}};
  const Program fused = fuse_single_use(program);
  CHECK(fused.equations == std::vector<Equation>{{6, {0, 1}}, {4, {2, 3, 6}}, {5, {3, 6}}});
}

TEST_CASE("What is in a temporary and in its reader cancels") {
  const Program program{5, 1, {0, 1, 2}, {3, 4}, {{5, {0, 1}}, {3, {0, 5}}, {4, {1, 2}}}};
  CHECK(fuse_single_use(program).equations == std::vector<Equation>{{3, {1}}, {4, {1, 2}}});
}

TEST_CASE("Fusing keeps what is computed and the XORs, and leaves no temporary of one reader") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = test::random_matrix(10, 15, seed);
    const Program direct = direct_program(matrix);
    const Program program = program_of(share_pairs(direct), direct);
    const Program fused = fuse_single_use(program);
    check_program(fused);
    CHECK(evaluate_symbolically(fused) == matrix);
    CHECK(cost(fused).xors == cost(program).xors);
    CHECK(fuse_single_use(fused) == fused);
    std::vector<std::size_t> uses(fused.end_of_elements(), 0);
    for (const Equation& equation : fused.equations) {
      for (const Element operand : equation.operands) ++uses[operand];
    }
    for (std::size_t e = fused.first_temporary(); e < uses.size(); ++e) CHECK(uses[e] > 1);
  }
}

std::size_t instructions(const Program& program) {
  std::size_t sum = 0;
  for (const Equation& equation : program.equations) {
    sum += three_way_instructions(equation.operands.size());
  }
  return sum;
}

TEST_CASE("A temporary goes where three-operand instructions make it dearer than doing without") {
  const Program program{6, 1, {0, 1, 2, 3}, {4, 5}, {{6, {0, 1}}, {4, {2, 6}}, {5, {3, 6}}}};
  CHECK(fuse_three_way(program).equations == std::vector<Equation>{{4, {0, 1, 2}}, {5, {0, 1, 3}}});
  // A = 0+1+2, read three times beside one other: 1 + 3 instructions, and 3 x 1.5 without it.
  const Program kept{
      9, 1, {0, 1, 2, 3, 4, 5}, {6, 7, 8}, {{9, {0, 1, 2}}, {6, {3, 9}}, {7, {4, 9}}, {8, {5, 9}}}};
  CHECK(fuse_three_way(kept) == kept);
}

TEST_CASE("Three-way fusion keeps what is computed and never takes more instructions") {
  std::size_t saved = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = test::random_matrix(10, 15, seed);
    const Program direct = direct_program(matrix);
    const Program program = fuse_single_use(program_of(share_pairs(direct), direct));
    const Program fused = fuse_three_way(program);
    check_program(fused);
    CHECK(evaluate_symbolically(fused) == matrix);
    CHECK(instructions(fused) <= instructions(program));
    saved += instructions(program) - instructions(fused);
    CHECK(fuse_three_way(fused) == fused);
  }
  CHECK(saved > 200);
}

TEST_CASE("A long chain of temporaries becomes one equation without a copy at each link") {
  constexpr Element kInputs = 300'000;
  Program chain;
  chain.locations = kInputs + 1;
  chain.rows = 1;
  for (Element input = 0; input < kInputs; ++input) chain.inputs.push_back(input);
  chain.outputs = {kInputs};
  Element last = 0;
  for (Element input = 1; input < kInputs; ++input) {
    const Element target = input + 1 < kInputs ? kInputs + input : kInputs;
    chain.equations.push_back({target, {std::min(input, last), std::max(input, last)}});
    last = target;
  }
  const Program fused = fuse_single_use(chain);
  REQUIRE(fused.equations.size() == 1);
  CHECK(fused.equations[0].operands.size() == kInputs);
  check_program(fused);
}

}  // namespace
}  // namespace xorloom
