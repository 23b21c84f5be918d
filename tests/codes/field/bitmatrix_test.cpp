#include "codes/field/bitmatrix.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace xorloom {
namespace {

std::uint32_t apply(const BitMatrix& matrix, std::uint32_t symbol) {
  std::uint32_t result = 0;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    std::uint32_t bit = 0;
    for (const std::size_t column : matrix.ones(row)) bit ^= symbol >> column & 1;
    result |= bit << row;
  }
  return result;
}

Matrix single(Field::Symbol symbol) {
  Matrix matrix(1, 1);
  matrix(0, 0) = symbol;
  return matrix;
}

}  // namespace

TEST_CASE("the block of a symbol multiplies by it, bits LSB-first") {
  std::mt19937_64 random(3);
  for (const std::size_t w : {2UL, 3UL, 4UL, 7UL, 8UL, 13UL, 16UL, 32UL}) {
    const Field field(w);
    for (int i = 0; i < 200; ++i) {
      const auto a = static_cast<Field::Symbol>(random() % field.size());
      const auto b = static_cast<Field::Symbol>(random() % field.size());
      const BitMatrix block = expand(field, single(a));
      REQUIRE(apply(block, b) == field.multiply(a, b));
      REQUIRE(block.weight() == weight(field, a));
    }
  }
  // x in GF(8): bit 0 goes to row 1, bit 1 to row 2, bit 2 to rows 0 and 1 (x^3 = x + 1).
  const BitMatrix x = expand(Field(3), single(2));
  CHECK(x.ones(0) == std::vector<std::size_t>{2});
  CHECK(x.ones(1) == std::vector<std::size_t>{0, 2});
  CHECK(x.ones(2) == std::vector<std::size_t>{1});
}

TEST_CASE("rank over GF(2) is the rank of the symbols times w") {
  std::mt19937_64 random(5);
  const Field field(8);
  for (std::size_t size = 1; size < 12; ++size) {
    Matrix matrix(size, 9);
    for (std::size_t r = 0; r < size; ++r) {
      for (auto& symbol : matrix.row(r)) symbol = static_cast<Field::Symbol>(random() % 256);
    }
    if (size > 2) std::ranges::copy(matrix.row(0), matrix.row(2).begin());
    CHECK(rank(expand(field, matrix)) == 8 * rank(field, matrix));
  }
}

TEST_CASE(
    "The inverse over GF(2) is the block matrix of the inverse, and singular ones have none") {
  std::mt19937_64 random(6);
  const Field field(4);
  std::size_t num_singular = 0;
  for (int i = 0; i < 100; ++i) {
    Matrix matrix(3, 3);
    for (std::size_t r = 0; r < 3; ++r) {
      for (auto& symbol : matrix.row(r)) symbol = static_cast<Field::Symbol>(random() % 4);
    }
    const auto inverted = inverse(field, matrix);
    num_singular += inverted ? 0U : 1U;
    const auto bits = inverse(expand(field, matrix));
    REQUIRE(bits.has_value() == inverted.has_value());
    if (bits) CHECK(*bits == expand(field, *inverted));
  }
  CHECK(num_singular > 0);
  CHECK(num_singular < 100);
  CHECK(!inverse(BitMatrix(2, 3)));
}

}  // namespace xorloom
