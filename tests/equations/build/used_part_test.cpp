#include "equations/build/used_part.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::matrix_of_rows;

TEST_CASE("Rows and columns of zeros are left out, and come back by other numbers") {
  const BitMatrix matrix = matrix_of_rows({"010010", "000000", "010011"});
  const UsedPart part(matrix);
  CHECK(!part.is_whole());
  CHECK(part.matrix() == matrix_of_rows({"110", "111"}));
  // In numbers of the part: 3 = 0+1, and 4 = 5+2 with the temporary 5 = 0+1.
  const Program of_part{5, 1, {0, 1, 2}, {3, 4}, {{5, {0, 1}}, {3, {5}}, {4, {2, 5}}}};
  const Program whole = part.in_whole(of_part);
  CHECK(
      whole ==
      Program{9, 1, {0, 1, 2, 3, 4, 5}, {6, 7, 8}, {{9, {1, 4}}, {6, {9}}, {8, {5, 9}}, {7, {}}}});
  CHECK_NOTHROW(check_program(whole));
  CHECK_NOTHROW(prove(whole, matrix));
  CHECK(UsedPart(part.matrix()).is_whole());
}

TEST_CASE("One row and one column stay of zeros alone") {
  const BitMatrix zeros(3, 70);
  const UsedPart part(zeros);
  CHECK(part.matrix() == BitMatrix(1, 1));
  const Program whole = part.in_whole(direct_program(part.matrix()));
  CHECK_NOTHROW(check_program(whole));
  CHECK_NOTHROW(prove(whole, zeros));
  CHECK(UsedPart(BitMatrix(1, 1)).is_whole());
}

TEST_CASE("Equations and plans of a part are those of the whole matrix") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    BitMatrix matrix = test::random_matrix(9, 150, seed, 1 + seed % 8);
    for (std::size_t c = 0; c < 150; ++c) {
      if (matrix(seed % 9, c)) matrix.flip(seed % 9, c);  // a row of zeros
    }
    const UsedPart part(matrix);
    const Program program = optimize(direct_program(part.matrix()), {.effort = Effort::kFast});
    const Program whole = part.in_whole(program);
    check_program(whole);
    prove(whole, matrix);
    CoreSchedule plan = part.in_whole(schedule_on_cores(program, 3));
    check_core_schedule(whole, plan);
  }
}

}  // namespace
}  // namespace xorloom
