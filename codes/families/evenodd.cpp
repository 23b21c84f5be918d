// EVENODD: row parity, and the parity of diagonals, to each of which the parity of one more
// diagonal is added. A prime p gives p - 1 rows; locations past k are taken to be zero.

#include <fmt/format.h>

#include "codes/construction/array.hpp"
#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"

namespace xorloom {
namespace {

Code build_evenodd(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxArrayRows);
  const std::size_t p = read_prime(spec, "p", k);
  check_at_most("k", k, "p", p);
  // Row p - 1 of the array is zero, and so is not there.
  Code code = double_parity_code("evenodd", k, p - 1, [p](std::size_t j, std::size_t l) {
    std::vector<std::size_t> rows;
    const std::size_t own = (l + p - j % p) % p;
    if (own != p - 1) rows.push_back(own);
    if (j != 0) rows.push_back(p - 1 - j);
    return rows;
  });
  code.proof = "Blaum, Brady, Bruck and Menon's theorem: p is a prime above 2, k <= p";
  finish_packets(code, spec, fmt::format("evenodd:k={},p={}", k, p));
  return code;
}

}  // namespace

extern constexpr Family kEvenodd = {
    .name = "evenodd",
    .keys = "k p packet_bytes",
    .constraint = "p a prime above 2, k <= p",
    .summary = "RAID-6 on packets in p - 1 rows: row parity and diagonals",
    .source = "Blaum, Brady, Bruck and Menon, EVENODD, IEEE Trans. Computers 44(2), 1995",
    .example = "evenodd:k=5,p=5",
    .build = build_evenodd,
};

}  // namespace xorloom
