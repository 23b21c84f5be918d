#include "equations/search/initial_circuits.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

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

}  // namespace
}  // namespace xorloom
