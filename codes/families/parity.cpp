// The sum of all data: one redundant location, one row.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"

namespace xorloom {
namespace {

Code build_parity(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  Matrix matrix(1, k);
  std::ranges::fill(matrix.row(0), Field::Symbol{1});
  Code code = systematic_code("parity", Field(1), std::move(matrix));
  code.proof = "each location is the sum of all others";
  finish_packets(code, spec, fmt::format("parity:k={}", k));
  return code;
}

}  // namespace

extern constexpr Family kParity = {
    .name = "parity",
    .keys = "k packet_bytes",
    .constraint = "k <= 65536",
    .summary = "the sum of k locations, on packets",
    .source = "Patterson, Gibson and Katz, RAID, SIGMOD 1988",
    .example = "parity:k=4",
    .build = build_parity,
};

}  // namespace xorloom
