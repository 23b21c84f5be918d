#include "equations/search/initial_circuits.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

using test::random_matrix;

BitMatrix invertible_matrix(std::size_t size) {
  for (std::uint64_t seed = 0;; ++seed) {
    BitMatrix matrix = random_matrix(size, size, seed);
    if (rank(matrix) == size) return matrix;
  }
}

TEST_CASE("Every start computes the matrix, and is the same again for the same number and seed") {
  const Code code = make_code("isa-vandermonde:k=5,m=3");
  const std::vector<std::size_t> lost{0, 2, 4};
  for (const BitMatrix& matrix :
       {random_matrix(7, 30, 1), random_matrix(30, 7, 2), random_matrix(20, 20, 3, 40),
        invertible_matrix(18), random_matrix(40, 40, 4, 200), BitMatrix(3, 5),
        evaluate_symbolically(direct_program(code, decoding_map(code, lost)))}) {
    CAPTURE(matrix.rows());
    CAPTURE(matrix.columns());
    const Program program = direct_program(matrix);
    const InitialCircuits starts(program, matrix, 5);
    CHECK(starts(0) == greedy_circuit(program));
    const InitialCircuits others(program, matrix, 6);
    std::size_t num_different = 0;
    for (std::uint64_t number = 0; number < 24; ++number) {
      const Circuit circuit = starts(number);
      CHECK_NOTHROW(prove(circuit, matrix));
      CHECK(starts(number) == circuit);
      num_different += others(number) != circuit ? 1U : 0U;
    }
    if (matrix.weight() != 0) CHECK(num_different > 10);
  }
}

TEST_CASE("The greedy circuit of a decoding takes it apart, and that of an encoding does not") {
  const Code code = make_code("isa-vandermonde:k=10,m=4");
  const Program decoding =
      direct_program(code, decoding_map(code, std::vector<std::size_t>{2, 4, 5, 6}));
  CHECK(10 * greedy_circuit(decoding).xors() < 9 * share_pairs(decoding).xors());
  const Program encoding = direct_encoding(code);
  CHECK(greedy_circuit(encoding) == share_pairs(encoding));
}

TEST_CASE("The first start of a matrix of repeated blocks has fewer XORs than the greedy circuit") {
  const BitMatrix matrix = bitmatrix(make_code("cauchy:k=16,m=16,w=8"));
  const Program program = direct_program(matrix);
  const InitialCircuits starts(program, matrix, 1);
  CHECK_NOTHROW(prove(starts.first(), matrix));
  CHECK(10 * starts.first().xors() <= 9 * greedy_circuit(program).xors());
  CHECK(InitialCircuits(program, matrix, 1).first() == starts.first());
}

TEST_CASE("A large matrix has one start, whatever of it is large") {
  // More ones than may be direct XORs backwards, but few different rows.
  const BitMatrix tall = random_matrix(70'000, 10, 1, 100);
  const Program rows = direct_program(tall);
  REQUIRE(tall.weight() > kMaxDirectXors);
  const InitialCircuits starts(rows, tall, 1);
  CHECK(starts(1) == starts.first());
  // Too wide to compare columns.
  const BitMatrix wide = random_matrix(10, 20'000, 1, 5);
  const InitialCircuits of_wide(direct_program(wide), wide, 1);
  for (std::uint64_t number = 0; number < 5; ++number) {
    CHECK_NOTHROW(prove(of_wide(number), wide));
  }
}

using test::matrix_of_rows;
using test::random_matrix;

/// XORs of the best of some circuits.
std::size_t best_of(std::uint64_t num_seeds, const BitMatrix& matrix) {
  std::size_t best = static_cast<std::size_t>(-1);
  for (std::uint64_t seed = 0; seed < num_seeds; ++seed) {
    Random random(seed);
    const Circuit circuit = boyar_peralta(matrix, random).value();
    CHECK(matrix_of(circuit) == matrix);
    best = std::min(best, circuit.xors());
  }
  return best;
}

TEST_CASE("The example of its authors takes 8 XORs, and less than a circuit of common pairs") {
  const BitMatrix matrix = matrix_of_rows({"11100", "01011", "10111", "01110", "11010", "01111"});
  CHECK(best_of(20, matrix) == 8);
  CHECK(share_pairs(direct_program(matrix)).xors() > 8);
}

TEST_CASE("Narrow matrices get circuits with no more XORs than their rows apart") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    BitMatrix matrix = random_matrix(seed % 37, seed % 13, seed, seed % 3 == 0 ? 200 : 110);
    if (matrix.rows() > 3) {
      matrix.add_row(1, matrix.row(1));  // zero
      matrix.add_row(2, matrix.row(2));
      matrix.add_row(2, matrix.row(0));  // like another
    }
    Random random(seed);
    const std::optional<Circuit> circuit = boyar_peralta(matrix, random);
    REQUIRE(circuit.has_value());
    CHECK(circuit->inputs == matrix.columns());
    CHECK(matrix_of(*circuit) == matrix);
    CHECK(circuit->xors() <= cost(direct_program(matrix)).xors);
  }
}

TEST_CASE("Rows of zeros, of one input and alike take no XORs, nor do columns of zeros") {
  Random random(1);
  const BitMatrix matrix = matrix_of_rows({"0000", "0100", "1101", "1101", "0100", "0000"});
  const Circuit circuit = boyar_peralta(matrix, random).value();
  CHECK(matrix_of(circuit) == matrix);
  CHECK(circuit.xors() == 2);
  CHECK(boyar_peralta(BitMatrix(0, 0), random)->xors() == 0);
  CHECK(boyar_peralta(BitMatrix(3, 0), random)->outputs.size() == 3);
}

TEST_CASE("Most small matrices get the fewest XORs, and none more than common pairs give") {
  std::size_t num_fewest = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(1 + seed % 8, 1 + seed % 4, seed, 170);
    const std::size_t xors = best_of(5, matrix);
    CHECK(xors <= share_pairs(direct_program(matrix)).xors());
    CHECK(xors >= test::fewest_xors(matrix));
    if (xors == test::fewest_xors(matrix)) ++num_fewest;
  }
  CHECK(num_fewest > 50);
}

TEST_CASE("Where rows are dense it takes fewer XORs than common pairs do") {
  std::size_t fewer = 0, pairs = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const BitMatrix matrix = random_matrix(12, 10, seed, 190);
    Random random(seed);
    fewer += boyar_peralta(matrix, random)->xors();
    pairs += share_pairs(direct_program(matrix)).xors();
  }
  CHECK(fewer < pairs);
}

TEST_CASE("Backwards, it finds the 24 XORs of the worked example") {
  const BitMatrix matrix = evaluate_symbolically(direct_encoding(make_code(kWorkedExample)));
  std::size_t best = static_cast<std::size_t>(-1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const Circuit circuit = transposed(*boyar_peralta(transposed(matrix), random), random);
    CHECK(matrix_of(circuit) == matrix);
    best = std::min(best, circuit.xors());
  }
  CHECK(best == 24);
}

TEST_CASE("The same seed gives the same circuit, another seed another") {
  const BitMatrix matrix = random_matrix(16, 16, 5);
  Random a(1), b(1), c(2);
  const std::optional<Circuit> first = boyar_peralta(matrix, a);
  CHECK(first == boyar_peralta(matrix, b));
  CHECK(first != boyar_peralta(matrix, c));
  CHECK(matrix_of(*first) == matrix);
}

TEST_CASE("Matrices of more than 16 columns or 128 rows get none") {
  Random random(1);
  CHECK(boyar_peralta(random_matrix(2, 16, 1), random).has_value());
  CHECK(!boyar_peralta(random_matrix(2, 17, 1), random));
  CHECK(boyar_peralta(random_matrix(128, 7, 1), random).has_value());
  CHECK(!boyar_peralta(random_matrix(129, 7, 1), random));
}

}  // namespace
}  // namespace xorloom
