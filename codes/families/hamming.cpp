// Shortened Hamming codes: the column of data location j is the j-th number with two or more ones;
// bit i says whether the location is part of sum i.

#include <bit>
#include <utility>

#include "codes/families/families.hpp"

namespace xorloom {
namespace {

Code build_hamming(Spec& spec) {
  const std::size_t m = spec.number("m", 2, 16);
  const std::size_t most = (std::size_t{1} << m) - 1 - m;
  const std::size_t k = spec.number_or("k", 1, most, most);
  Matrix matrix(m, k);
  std::size_t number = 0;
  for (std::size_t j = 0; j < k; ++j) {
    do ++number;
    while (std::popcount(number) < 2);
    for (std::size_t i = 0; i < m; ++i) matrix(i, j) = number >> i & 1;
  }
  Code code = systematic_code("hamming", Field(1), std::move(matrix));
  code.promised_losses = 2;
  code.proof = "the columns of the check matrix are distinct and not zero";
  return code;
}

}  // namespace

extern constexpr Family kHamming = {
    .name = "hamming",
    .keys = "k m packet_bytes",
    .constraint = "m = 2 to 16, k <= 2^m - 1 - m",
    .summary = "survives any 2 losses, on packets, with few locations per sum",
    .source =
        "Hamming, Error detecting and error correcting codes, Bell Syst. Tech. J. 29(2), 1950",
    .example = "hamming:k=4,m=3",
    .build = build_hamming,
};

}  // namespace xorloom
