#include "equations/fuse.hpp"

#include <doctest/doctest.h>

#include "equations/cost.hpp"
#include "equations/direct.hpp"
#include "equations/proof.hpp"
#include "equations/share_pairs.hpp"
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

}  // namespace
}  // namespace xorloom
