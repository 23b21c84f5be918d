#include "runtime/plans/plan_proof.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// With more than 2^20 products, 90 data chunks and some redundancy lost.
LinearMap wide_map(const Code& code) {
  std::vector<std::size_t> lost(90);
  std::iota(lost.begin(), lost.end(), std::size_t{3});
  lost.push_back(code.k + 1);
  lost.push_back(code.k + 94);
  return *recovery_map(code, lost, lost);
}

}  // namespace

TEST_CASE("Maps of wide codes are proved by transforms, and refused with any factor changed") {
  const Code code = make_code("leopard:k=150,m=100");
  LinearMap map = wide_map(code);
  prove_map(map, code);
  struct Place {
    std::size_t output, input;
  };
  for (const Place& at : {Place{0, 0}, {0, 149}, {91, 0}, {90, 80}, {45, 61}}) {
    CAPTURE(at.output);
    CAPTURE(at.input);
    auto& factor = map.coefficients(at.output, at.input);
    factor ^= 1;
    CHECK_THROWS_AS(prove_map(map, code), Error);
    factor ^= 1;
  }
  prove_map(map, code);
}

TEST_CASE("A code whose matrix is not what its transforms compute is taken at its matrix") {
  Code code = make_code("leopard:k=150,m=100");
  const LinearMap of_transforms = wide_map(code);
  for (std::size_t j = 0; j < code.k; ++j)
    code.parity(7, j) = code.field.multiply(3, code.parity(7, j));
  CHECK_THROWS_AS(prove_map(of_transforms, code), Error);
  Code by_matrix = code;
  by_matrix.transform_points = 0;
  prove_map(wide_map(by_matrix), code);
}

}  // namespace xorloom
