// The sum of all data: one redundant location, one row.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/families/families.hpp"

namespace xorloom {

Code build_parity(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  Matrix matrix(1, k);
  std::ranges::fill(matrix.row(0), Field::Symbol{1});
  Code code = systematic_code("parity", Field(1), std::move(matrix));
  code.proof = "each location is the sum of all others";
  finish_packets(code, spec, fmt::format("parity:k={}", k));
  return code;
}

}  // namespace xorloom
