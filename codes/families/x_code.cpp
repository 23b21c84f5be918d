// X-code: p locations of p rows for a prime p, the last two of which are the parities of diagonals
// of either slope through the rows above. Every location holds data and redundancy.

#include <fmt/format.h>

#include "codes/cell_sums.hpp"
#include "codes/construction/array.hpp"
#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"

namespace xorloom {
namespace {

Code build_x_code(const Spec& spec) {
  const std::size_t p = spec.number("p", 3, kMaxArrayRows);
  check_prime("p", p);
  check_xors_fit(p - 2, 2 * p);
  const auto cell = [p](std::size_t location, std::size_t row) {
    return static_cast<Cell>(location * p + row);
  };
  std::vector<Cell> data;
  for (std::size_t j = 0; j < p; ++j) {
    for (std::size_t i = 0; i + 2 < p; ++i) data.push_back(cell(j, i));
  }
  CellSums sums(Field(1), p, p, std::move(data), spec.limits());
  for (std::size_t j = 0; j < p; ++j) {
    std::vector<Cell> down;
    std::vector<Cell> up;
    for (std::size_t i = 0; i + 2 < p; ++i) {
      down.push_back(cell((j + i + 2) % p, i));
      up.push_back(cell((j + 2 * p - i - 2) % p, i));
    }
    sums.add(cell(j, p - 2), down);
    sums.add(cell(j, p - 1), up);
  }
  Code code = sums.code("x-code");
  code.k = p - 2;
  code.m = 2;
  code.w = p;
  code.promised_losses = 2;
  code.proof = "Xu and Bruck's theorem: p is a prime above 2";
  finish_packets(code, spec, fmt::format("x-code:p={}", p));
  return code;
}

}  // namespace

extern constexpr Family kXCode = {
    .name = "x-code",
    .keys = "p packet_bytes",
    .constraint = "p a prime above 2",
    .summary = "any 2 losses on packets; each location has p - 2 rows of data and 2 of redundancy",
    .source =
        "Xu and Bruck, X-Code: MDS array codes with optimal encoding, IEEE Trans. Inf. Theory "
        "45(1), 1999",
    .example = "x-code:p=5",
    .build = build_x_code,
};

}  // namespace xorloom
