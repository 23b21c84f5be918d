#include "equations/search/xor_bound.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/cost.hpp"
#include "equations/search/optimize.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::matrix_of_rows;
using test::random_matrix;

/// The bitmatrix of circ(2, 3, 1, 1) over GF(2^8), AES MixColumns.
BitMatrix mix_columns() {
  const Field field(8, 0x11b);
  Matrix matrix(4, 4);
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t c = 0; c < 4; ++c)
      matrix(r, c) = std::array<Field::Symbol, 4>{2, 3, 1, 1}[(c + 4 - r) % 4];
  }
  return expand(field, matrix);
}

}  // namespace

TEST_CASE("AES MixColumns takes at least 54 XORs") {
  const XorBound bound = xor_bound(mix_columns());
  CHECK(bound.xors == 54);
  CHECK(bound.argument == XorBound::Argument::kDistance);
  CHECK(bound.distance == 6);
  CHECK(bound.alike == 3);
  CHECK(bound.others == 22);
}

TEST_CASE("A single row takes all its XORs, and the bound says no more") {
  CHECK(xor_bound(matrix_of_rows({"11"})).xors == 1);
  CHECK(xor_bound(matrix_of_rows({"1111"})).xors == 3);
  CHECK(xor_bound(matrix_of_rows({"11111111"})).xors == 7);
  CHECK(xor_bound(BitMatrix(2, 3)).xors == 0);
}

TEST_CASE("No matrix of four columns has fewer XORs than its bound") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(1 + seed % 6, 2 + seed % 3, seed);
    CHECK(xor_bound(matrix).xors <= test::fewest_xors(matrix));
  }
}

TEST_CASE("No search undercuts the bound, where it is above that of the rows") {
  std::size_t num_higher = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const std::size_t rows = 10 + seed % 8;
    const BitMatrix matrix = random_matrix(rows, rows + seed % 3, seed, 128 + seed % 64);
    const XorBound bound = xor_bound(matrix);
    CHECK(bound.xors >= lower_bound(matrix));
    if (bound.xors > lower_bound(matrix)) ++num_higher;
    const Program program = optimize(direct_program(matrix), {.effort = Effort::kQuick});
    CHECK(cost(program).xors >= bound.xors);
  }
  CHECK(num_higher >= 5);
}

TEST_CASE("A matrix and its transposed have one bound, if they are square") {
  const BitMatrix matrix = mix_columns();
  CHECK(xor_bound(matrix).xors == xor_bound(transposed(matrix)).xors);
}

}  // namespace xorloom
