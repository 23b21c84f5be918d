#include "equations/passes/factor_rows.hpp"

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
          CHECK(factors.basis.get(other, pivot) == (other == i));
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

}  // namespace
}  // namespace xorloom
