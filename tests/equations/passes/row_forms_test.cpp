#include "equations/passes/row_forms.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::matrix_of_rows;
using test::random_matrix;

BitMatrix product(const BitMatrix& a, const BitMatrix& b) {
  BitMatrix result(a.rows(), b.columns());
  for (std::size_t r = 0; r < a.rows(); ++r) {
    for (const std::size_t i : a.ones(r)) result.add_row(r, b.row(i));
  }
  return result;
}

TEST_CASE("A matrix is the product of its factors, and each pivot is in one row of the basis") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const auto chance = static_cast<unsigned>(20 + seed % 200);
    const BitMatrix matrix = random_matrix(seed % 19, seed % 27, seed, chance);
    for (const bool from_last : {true, false}) {
      const Factors factors = factors_of(matrix, from_last);
      CHECK(factors.basis.rows() == rank(matrix));
      CHECK(product(factors.outer, factors.basis) == matrix);
      for (std::size_t i = 0; i < factors.basis.rows(); ++i) {
        const std::vector<std::size_t> ones = factors.basis.ones(i);
        const std::size_t pivot = from_last ? ones.back() : ones.front();
        for (std::size_t other = 0; other < factors.basis.rows(); ++other) {
          CHECK(factors.basis(other, pivot) == (other == i));
        }
      }
    }
  }
}

TEST_CASE("Outputs are made of temporaries that are a basis, or of inputs that are in it") {
  // The basis is 11001, 01010 and 00100, which is an input.
  const BitMatrix matrix = matrix_of_rows({"11001", "01010", "01110"});
  const Program program = factor_rows(direct_program(matrix));
  CHECK_NOTHROW(check_program(program));
  CHECK(evaluate_symbolically(program) == matrix);
  const std::vector<Equation> expected = {
      {8, {0, 1, 4}}, {9, {1, 3}}, {5, {8}}, {6, {9}}, {7, {2, 9}}};
  CHECK(program.equations == expected);
}

TEST_CASE("What is computed stays the same, whatever the rank") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const auto chance = static_cast<unsigned>(20 + seed % 200);
    const Program direct = direct_program(random_matrix(seed % 23, seed % 17, seed, chance));
    const Program program = factor_rows(direct);
    CHECK_NOTHROW(check_program(program));
    CHECK(program.inputs == direct.inputs);
    CHECK(program.outputs == direct.outputs);
    CHECK(evaluate_symbolically(program) == evaluate_symbolically(direct));
    CHECK(matrix_of(share_pairs(program)) == evaluate_symbolically(direct));
  }
}

TEST_CASE("A decoding comes apart into syndromes and what they make, far fewer XORs") {
  const Code code = make_code("isa-vandermonde:k=10,m=4");
  const Program direct =
      direct_program(code, decoding_map(code, std::vector<std::size_t>{2, 4, 5, 6}));
  const Program program = factor_rows(direct);
  CHECK_NOTHROW(prove(program, code));
  CHECK(cost(direct).xors == 1368);
  CHECK(cost(program).xors < 800);
  CHECK(cost(program).temporaries == 32);
}

TEST_CASE("Equations that read others stay, and updates keep their virtual elements") {
  Program chained = direct_program(matrix_of_rows({"1101", "0111", "1111"}));
  chained.equations[2] = {6, {0, 5}};
  const Program program = factor_rows(chained);
  CHECK(evaluate_symbolically(program) == evaluate_symbolically(chained));
  CHECK(program.equations.back() == Equation{6, {0, 5}});
  const Code code = make_code("cauchy:k=4,m=3,w=4");
  const Program update = direct_update(code, std::vector<std::size_t>{0, 2});
  CHECK(factor_rows(update).virtuals == update.virtuals);
  CHECK_NOTHROW(prove(factor_rows(update), code));
}

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

TEST_CASE("All losses hold with rebuilt data reused, and never take more XORs") {
  std::size_t num_better = 0;
  for (const char* spec : {"cauchy-good:k=4,m=3,w=4", "isa-vandermonde:k=4,m=3"}) {
    const Code code = make_code(spec);
    for (unsigned set = 1; set < 128; ++set) {
      std::vector<std::size_t> lost;
      for (std::size_t i = 0; i < 7; ++i) {
        if ((set >> i & 1U) != 0) lost.push_back(i);
      }
      if (lost.size() > 3) continue;
      CAPTURE(spec);
      CAPTURE(set);
      const Program direct = direct_decoding(code, lost);
      const Program reused = reuse_rebuilt(code, direct);
      check_program(reused);
      CHECK_NOTHROW(prove(reused, code));
      CHECK(reused.inputs == direct.inputs);
      CHECK(reused.outputs == direct.outputs);
      CHECK(cost(reused).xors <= cost(direct).xors);
      if (cost(reused).xors < cost(direct).xors) ++num_better;
    }
  }
  CHECK(num_better > 20);
}

TEST_CASE("Where no data are rebuilt, or none redundant, nothing changes") {
  const Code code = make_code("cauchy-good:k=4,m=2,w=4");
  const std::vector<std::size_t> data_lost{0, 1};
  const Program decoding = direct_decoding(code, data_lost);
  CHECK(reuse_rebuilt(code, decoding) == decoding);
  const Program encoding = direct_encoding(code);
  CHECK(reuse_rebuilt(code, encoding) == encoding);
  const Program update = direct_update(code, data_lost);
  CHECK(reuse_rebuilt(code, update) == update);
}

}  // namespace
}  // namespace xorloom
