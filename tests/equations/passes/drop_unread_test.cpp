#include "equations/passes/drop_unread.hpp"

#include <doctest/doctest.h>

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

}  // namespace xorloom
