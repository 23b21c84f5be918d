#include "equations/passes/limit_operands.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "tests/support/random_program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

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
