// The sum of all data: one redundant location, one row.

#include "codes/families/families.hpp"

namespace xorloom {
namespace {

Code build_parity(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const Matrix ones = matrix_of(1, k, [](auto, auto) { return Field::Symbol{1}; });
  return systematic_code("parity", Field(1), ones, "each location is the sum of all others");
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
