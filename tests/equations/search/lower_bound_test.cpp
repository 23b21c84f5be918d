#include "equations/search/lower_bound.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "codes/families/families.hpp"
#include "equations/ir/circuit.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

using test::fewest_xors;
using test::matrix_of_rows;
using test::random_matrix;

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
