#include "equations/build/row_differences.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::matrix_of_rows;
using test::random_matrix;

TEST_CASE("An output is made of another and the inputs that differ where that is shorter") {
  const Program program =
      row_differences(direct_program(matrix_of_rows({"111101", "111111", "000110", "111011"})));
  // 6 of the inputs alone; 7 and then 9 by a single input; 8 is short as it is.
  const std::vector<Equation> expected = {
      {6, {0, 1, 2, 3, 5}}, {7, {4, 6}}, {8, {3, 4}}, {9, {3, 7}}};
  CHECK(program.equations == expected);
  CHECK(cost(program).xors == 7);
}

TEST_CASE("An output may come before the one it is made of") {
  const Program program = row_differences(direct_program(matrix_of_rows({"1111", "1110"})));
  const std::vector<Equation> expected = {{5, {0, 1, 2}}, {4, {3, 5}}};
  CHECK(program.equations == expected);
}

TEST_CASE("Outputs alike are copies, outputs of one input or none stay as they are") {
  const Program program =
      row_differences(direct_program(matrix_of_rows({"111", "000", "111", "010", "010", "000"})));
  const std::vector<Equation> expected = {{3, {0, 1, 2}}, {4, {}},  {5, {3}},
                                          {6, {1}},       {7, {1}}, {8, {}}};
  CHECK(program.equations == expected);
}

TEST_CASE("What is computed stays the same, with no more XORs, and fewer where rows are dense") {
  Random random(3);
  std::size_t num_fewer = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const unsigned chance = seed % 2 == 0 ? 60 : 220;
    const Program direct = direct_program(random_matrix(seed % 23, seed % 31, seed, chance));
    for (Random* ties : {static_cast<Random*>(nullptr), &random}) {
      const Program program = row_differences(direct, ties);
      CHECK_NOTHROW(check_program(program));
      CHECK(program.inputs == direct.inputs);
      CHECK(program.outputs == direct.outputs);
      CHECK(evaluate_symbolically(program) == evaluate_symbolically(direct));
      CHECK(cost(program).xors <= cost(direct).xors);
      CHECK(matrix_of(share_pairs(program, ties)) == evaluate_symbolically(direct));
      if (chance == 220 && cost(program).xors < cost(direct).xors) ++num_fewer;
    }
  }
  CHECK(num_fewer > 150);
}

TEST_CASE("Ties are fixed without random, and the seed's with it") {
  const Program direct = direct_program(random_matrix(30, 9, 4, 200));
  CHECK(row_differences(direct) == row_differences(direct));
  Random a(1), b(1), c(2);
  const Program first = row_differences(direct, &a);
  CHECK(first == row_differences(direct, &b));
  CHECK(first != row_differences(direct, &c));
  CHECK(cost(first).xors == cost(row_differences(direct)).xors);
}

TEST_CASE("Updates keep their virtual elements, and equations that read others stay") {
  const Code code = make_code("cauchy:k=4,m=3,w=4");
  const Program direct = direct_update(code, std::vector<std::size_t>{0, 2});
  const Program program = row_differences(direct);
  CHECK(program.virtuals == direct.virtuals);
  CHECK_NOTHROW(prove(program, code));
  CHECK(row_differences(program_of(share_pairs(program), direct)).equations.size() ==
        share_pairs(program).xors());

  Program chained = direct_program(matrix_of_rows({"111101", "111111", "111011"}));
  chained.equations[2] = {8, {2, 7, 6}};
  const Program differences = row_differences(chained);
  const std::vector<Equation> expected = {{6, {0, 1, 2, 3, 5}}, {7, {4, 6}}, {8, {2, 6, 7}}};
  CHECK(differences.equations == expected);
}

}  // namespace
}  // namespace xorloom
