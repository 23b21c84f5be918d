#include "equations/passes/drop_equations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>

#include "equations/ir/proof.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {

TEST_CASE("equations that no output depends on go, whole chains of them") {
  const Program program{4, 1, {0}, {1}, {{4, {0}}, {5, {0, 4}}, {1, {0, 4}}, {6, {5}}, {2, {1}}}};
  CHECK(drop_unread(program).equations == std::vector<Equation>{{4, {0}}, {1, {0, 4}}});
}

TEST_CASE("a program of which everything is read stays as it is") {
  CHECK(drop_unread(paper_iterative()) == paper_iterative());
}

TEST_CASE("what is left computes the same") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Program program = random_program(7, 3, 20, seed);
    const Program dropped = drop_unread(program);
    CHECK_NOTHROW(check_program(dropped));
    CHECK(!find_disagreement(dropped, evaluate_symbolically(program)));
    CHECK(drop_unread(dropped) == dropped);
  }
}

namespace {

TEST_CASE("Readers of copies read what these are copies of, and equal terms cancel") {
  // A copies 0, 3 copies A, B = A + 3 is zero, 4 = 1 + 3 + B.
  const Program program{5, 1, {0, 1, 2}, {3, 4}, {{5, {0}}, {3, {5}}, {6, {3, 5}}, {4, {1, 3, 6}}}};
  CHECK(drop_copies(program).equations == std::vector<Equation>{{3, {0}}, {4, {0, 1}}});
}

TEST_CASE("Without copies the same is computed, and only outputs that nothing reads are copies") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const Program program = random_program(8, 3, 12, seed);
    const Program result = drop_copies(program);
    check_program(result);
    prove(result, program);
    for (const Equation& equation : result.equations) {
      if (equation.operands.size() > 1) continue;
      CHECK(std::ranges::count(result.outputs, equation.target) == 1);
      for (const Equation& reader : result.equations) {
        CHECK(std::ranges::count(reader.operands, Operand(equation.target)) == 0);
      }
    }
  }
}

}  // namespace
}  // namespace xorloom
