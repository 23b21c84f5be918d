#include "codes/field/matrix.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

namespace xorloom {
namespace {

Matrix random_matrix(const Field& field, std::size_t rows, std::size_t columns,
                     std::mt19937_64& random) {
  Matrix matrix(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (Field::Symbol& symbol : matrix.row(r)) {
      symbol = static_cast<Field::Symbol>(random() % field.size());
    }
  }
  return matrix;
}

}  // namespace

TEST_CASE("a matrix times its inverse is the identity, and singular ones have none") {
  constexpr std::uint64_t kSeed = 7;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  std::size_t regular = 0;
  std::size_t singular = 0;
  for (const std::size_t w : {1UL, 2UL, 3UL, 8UL, 16UL, 32UL}) {
    const Field field(w);
    for (std::size_t size = 0; size <= 9; ++size) {
      const Matrix matrix = random_matrix(field, size, size, random);
      const auto inverted = inverse(field, matrix);
      CHECK(inverted.has_value() == (rank(field, matrix) == size));
      ++(inverted ? regular : singular);
      if (!inverted) continue;
      CHECK(multiply(field, matrix, *inverted) == identity(size));
      CHECK(multiply(field, *inverted, matrix) == identity(size));
    }
  }
  CHECK(regular > 0);
  CHECK(singular > 0);
}

TEST_CASE("the rank of a product of thin matrices is their inner size") {
  std::mt19937_64 random(11);
  const Field field(16);
  for (std::size_t inner = 0; inner <= 5; ++inner) {
    const Matrix product = multiply(field, random_matrix(field, 7, inner, random),
                                    random_matrix(field, inner, 6, random));
    CHECK(rank(field, product) == inner);
  }
}

}  // namespace xorloom
