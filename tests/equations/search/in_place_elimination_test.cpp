#include "equations/search/in_place_elimination.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::matrix_of_rows;
using test::random_matrix;

TEST_CASE("Every invertible square gets a circuit, and nothing else does") {
  std::size_t num_invertible = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(1 + seed % 12, 1 + seed % 12, seed);
    Random random(seed);
    const std::optional<InPlaceCircuit> circuit = eliminate_in_place(matrix, random);
    if (rank(matrix) < matrix.rows()) {
      CHECK(!circuit);
      continue;
    }
    ++num_invertible;
    REQUIRE(circuit.has_value());
    CHECK(matrix_of(*circuit) == matrix);
  }
  CHECK(num_invertible > 20);
  Random random(1);
  CHECK(!eliminate_in_place(BitMatrix(0, 0), random));
  CHECK(!eliminate_in_place(random_matrix(3, 4, 1), random));
  CHECK(!eliminate_in_place(matrix_of_rows({"11", "11"}), random));
}

TEST_CASE("A permutation takes no XOR, a triangle one for each one beside the diagonal or fewer") {
  Random random(1);
  CHECK(eliminate_in_place(matrix_of_rows({"010", "001", "100"}), random)->xors() == 0);
  CHECK(eliminate_in_place(matrix_of_rows({"1111", "0111", "0011", "0001"}), random)->xors() == 3);
}

TEST_CASE("In layers, circuits of more lines have fewer levels") {
  std::size_t levels = 0;
  std::size_t levels_in_layers = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(16, 16, seed);
    if (rank(matrix) < matrix.rows()) continue;
    Random random(seed);
    levels += depth(*eliminate_in_place(matrix, random));
    const InPlaceCircuit circuit = *eliminate_in_place(matrix, random, kWeightOfMatrix, true);
    CHECK(matrix_of(circuit) == matrix);
    levels_in_layers += depth(circuit);
  }
  CHECK(levels != 0);
  CHECK(4 * levels_in_layers < 3 * levels);
}

TEST_CASE("Matrices wider than a word are brought to a permutation, too") {
  BitMatrix matrix(70, 70);
  for (std::size_t i = 0; i < 70; ++i) matrix.flip(i, (i + 3) % 70);
  for (std::size_t i = 1; i < 70; ++i) matrix.add_row(i, matrix.row(i - 1));
  Random random(2);
  const std::optional<InPlaceCircuit> circuit = eliminate_in_place(matrix, random);
  REQUIRE(circuit.has_value());
  CHECK(matrix_of(*circuit) == matrix);
  CHECK(circuit->xors() == 69);
}

}  // namespace
}  // namespace xorloom
