#include "equations/passes/share_pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>

#include "equations/build/direct.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::matrix_of_rows;
using test::random_matrix;

TEST_CASE("A pair that rows have in common is computed once") {
  const Circuit circuit = share_pairs(direct_program(matrix_of_rows({"1110", "1101", "1111"})));
  CHECK(circuit.xors() == 4);
}

TEST_CASE("Circuits of common pairs compute their matrix, with no more XORs than its rows apart") {
  Random random(7);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(seed % 20, seed % 31, seed);
    const Program direct = direct_program(matrix);
    for (Random* ties : {static_cast<Random*>(nullptr), &random}) {
      const Circuit circuit = share_pairs(direct, ties);
      CHECK(matrix_of(circuit) == matrix);
      CHECK(circuit.xors() <= cost(direct).xors);
    }
  }
}

TEST_CASE("More than 255 rows and more than 64 are counted right") {
  for (const std::size_t rows : {64UL, 65UL, 255UL, 256UL, 300UL}) {
    CAPTURE(rows);
    const BitMatrix matrix = random_matrix(rows, 20, rows);
    const Circuit circuit = share_pairs(direct_program(matrix));
    CHECK(matrix_of(circuit) == matrix);
    CHECK(circuit.xors() < matrix.weight() / 2);
  }
}

TEST_CASE("Equations may read one another's targets, and pairs with them are shared, too") {
  // 4 = 0+1+2; 5 = 4+2+3; 6 = 4+3: 4 and 3 are a common pair.
  const Program program{
      7, 1, {0, 1, 2, 3}, {4, 5, 6}, {{4, {0, 1, 2}}, {5, {2, 3, 4}}, {6, {3, 4}}}};
  const Circuit circuit = share_pairs(program);
  CHECK(matrix_of(circuit) == evaluate_symbolically(program));
  CHECK(circuit.xors() == 4);
}

TEST_CASE("Without random the circuit is always the same, with a seed it is the seed's") {
  const Program direct = direct_program(random_matrix(32, 80, 5));
  CHECK(share_pairs(direct) == share_pairs(direct));
  Random a(1), b(1), c(2);
  const Circuit first = share_pairs(direct, &a);
  CHECK(first == share_pairs(direct, &b));
  CHECK(first != share_pairs(direct, &c));
}

TEST_CASE("Told to stop, it shares the pairs found so far") {
  const BitMatrix matrix = random_matrix(100, 1500, 2);
  const Program direct = direct_program(matrix);
  const std::size_t fewest = share_pairs(direct).xors();
  std::size_t before = cost(direct).xors + 1;
  for (const int stops_after : {0, 10, 20, 40, 100'000}) {
    CAPTURE(stops_after);
    int asked = 0;
    const Circuit circuit = share_pairs(direct, nullptr, [&] { return ++asked > stops_after; });
    CHECK(matrix_of(circuit) == matrix);
    CHECK(circuit.xors() <= before);
    before = circuit.xors();
    if (stops_after == 0) CHECK(circuit.xors() == cost(direct).xors);
  }
  CHECK(before == fewest);
}

TEST_CASE("With a bounded depth pairs are shared as far as every row keeps within it") {
  Random random(7);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(1 + seed % 20, 1 + seed % 31, seed);
    const Program direct = direct_program(matrix);
    const std::size_t least = std::max<std::size_t>(1, least_depth(matrix));
    for (const std::size_t most : {least, least + 1, std::size_t{100}}) {
      const Circuit circuit = share_pairs(direct, seed % 2 != 0 ? &random : nullptr, {}, most);
      CHECK(matrix_of(circuit) == matrix);
      CHECK(depth(circuit) <= most);
      CHECK(circuit.xors() <= cost(direct).xors);
      if (most == 100 && seed % 2 == 0) CHECK(circuit.xors() == share_pairs(direct).xors());
    }
  }
}

TEST_CASE("A pair that would take a row past its depth is not shared with it") {
  // Seven ones take three levels with room for one more one: a level higher for one value.
  const BitMatrix matrix = matrix_of_rows({"11111110", "11111110", "11111111", "11100000"});
  const Circuit circuit = share_pairs(direct_program(matrix), nullptr, {}, 3);
  CHECK(matrix_of(circuit) == matrix);
  CHECK(depth(circuit) == 3);
}

}  // namespace
}  // namespace xorloom
