#include "equations/ir/circuit.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::matrix_of_rows;
using test::random_matrix;

constexpr auto kZero = Circuit::kZero;

/// Columns of zeros or rows of zeros change what a transposed circuit costs.
bool has_zeros(const BitMatrix& matrix) {
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    if (matrix.ones(r).empty()) return true;
  }
  return false;
}

TEST_CASE("Composed circuits compute the product of their matrices") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const BitMatrix inner = test::random_matrix(5, 9, seed, 140);
    const BitMatrix outer = test::random_matrix(7, 5, seed + 50, 100);
    if (rank(inner) < 5) continue;  // a row of zeros is no input
    BitMatrix product(7, 9);
    for (std::size_t r = 0; r < 7; ++r) {
      for (const std::size_t i : outer.ones(r)) product.add_row(r, inner.row(i));
    }
    const Circuit circuit =
        composed(circuit_of(direct_program(outer)), circuit_of(direct_program(inner)));
    CHECK(matrix_of(circuit) == product);
  }
}

TEST_CASE("A circuit computes its matrix, and is told from one that does not") {
  const Circuit circuit{3, {{0, 1}, {3, 2}}, {3, 4, 2, kZero}};
  const BitMatrix matrix = matrix_of_rows({"110", "111", "001", "000"});
  CHECK(matrix_of(circuit) == matrix);
  CHECK_NOTHROW(prove(circuit, matrix));
  CHECK_THROWS_AS(prove(circuit, matrix_of_rows({"110", "111", "001", "100"})), Error);
  CHECK(depth(circuit) == 2);
}

TEST_CASE("The transposed circuit computes the transposed matrix with rows - columns more XORs") {
  Random random(1);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(1 + seed % 13, 1 + seed % 17, seed);
    const Circuit circuit = share_pairs(direct_program(matrix));
    const Circuit backwards = transposed(circuit, random);
    CHECK(matrix_of(backwards) == transposed(matrix));
    if (!has_zeros(matrix) && !has_zeros(transposed(matrix))) {
      CHECK(backwards.xors() + matrix.columns() == circuit.xors() + matrix.rows());
    }
    CHECK(matrix_of(transposed(backwards, random)) == matrix);
  }
}

TEST_CASE("Sorting puts gates after what they read and drops those that no output needs") {
  // Value 3 reads 5, which reads 4; value 6 is read by nobody.
  const std::vector<Circuit::Gate> gates = {{0, 5}, {1, 2}, {4, 0}, {3, 4}};
  const std::vector<Circuit::Value> outputs = {3, kZero, 1};
  const Circuit sorted = sorted_circuit(3, gates, outputs);
  CHECK(sorted.xors() == 3);
  CHECK(matrix_of(sorted) == matrix_of_rows({"011", "000", "010"}));
}

TEST_CASE("Programs become circuits and circuits programs with nothing changed") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    BitMatrix matrix = random_matrix(9, 7, seed, 90);
    matrix.add_row(8, matrix.row(8));  // a row of zeros
    matrix.add_row(8, matrix.row(0));  // a copy of row 0
    const Program direct = direct_program(matrix);
    const Circuit circuit = circuit_of(direct);
    CHECK(matrix_of(circuit) == matrix);
    const Program program = program_of(circuit, direct);
    check_program(program);
    CHECK(evaluate_symbolically(program) == matrix);
    CHECK(program.inputs == direct.inputs);
    CHECK(program.outputs == direct.outputs);
  }
}

TEST_CASE("A circuit of many inputs and few outputs is evaluated in little time") {
  constexpr Circuit::Value kInputs = 300'000;
  Circuit circuit;
  circuit.inputs = kInputs;
  Circuit::Value sum = 0;
  for (Circuit::Value input = 1; input < kInputs; ++input) sum = circuit.add(sum, input);
  circuit.outputs = {sum, Circuit::kZero, 5};
  const BitMatrix matrix = matrix_of(circuit);
  CHECK(matrix.weight(0) == kInputs);
  CHECK(matrix.weight(1) == 0);
  CHECK(matrix.ones(2) == std::vector<std::size_t>{5});
}

using test::fewest_xors;

TEST_CASE("The bound of the worked example is the 24 XORs it can be done with") {
  CHECK(lower_bound(bitmatrix(make_code("cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0", {}))) == 24);
}

TEST_CASE("What needs no XOR has the bound 0") {
  CHECK(lower_bound(BitMatrix(0, 0)) == 0);
  CHECK(lower_bound(BitMatrix(3, 4)) == 0);
  CHECK(lower_bound(matrix_of_rows({"100", "001", "001"})) == 0);
}

TEST_CASE("A first XOR that gives no row counts") {
  CHECK(lower_bound(matrix_of_rows({"111"})) == 2);
  CHECK(lower_bound(matrix_of_rows({"1110", "0111"})) == 3);
  CHECK(lower_bound(matrix_of_rows({"1100", "1110"})) == 2);
  // Any first row takes three XORs, and each other row one more.
  CHECK(lower_bound(matrix_of_rows({"01111", "10111", "11011", "11101", "11110"})) == 7);
}

TEST_CASE("No matrix of four columns has fewer XORs than its bound") {
  std::size_t num_met = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(1 + seed % 6, 2 + seed % 3, seed);
    const std::size_t fewest = fewest_xors(matrix);
    CHECK(lower_bound(matrix) <= fewest);
    if (lower_bound(matrix) == fewest) ++num_met;
  }
  CHECK(num_met > 150);  // and it is of use
}

TEST_CASE("The bound of the transposed matrix differs by rows - columns") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    const BitMatrix matrix = random_matrix(6, 9, seed, 200);
    CHECK(lower_bound(transposed(matrix)) + 9 == lower_bound(matrix) + 6);
  }
}

}  // namespace
}  // namespace xorloom
