// Row-diagonal parity: row parity, and the parity of diagonals that run through the row parity as
// well. A prime p gives p - 1 rows; locations past k are taken to be zero.

#include <fmt/format.h>

#include <vector>

#include "codes/construction/array.hpp"
#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"

namespace xorloom {
namespace {

Code build_rdp(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxArrayRows);
  const std::size_t p = read_prime(spec, "p", k + 1);
  check_at_most("k", k, "p - 1", p - 1);
  // The array has a column for each of p locations, the last for the row parity; columns from k to
  // p - 2 are zero, and so is its row p - 1: neither is there.
  const auto rows_of = [k, p](std::size_t j, std::size_t l) {
    const std::size_t column = j == k ? p - 1 : j;
    const std::size_t row = (l + p - column) % p;
    return row == p - 1 ? std::vector<std::size_t>{} : std::vector{row};
  };
  Code code = double_parity_code("rdp", k, p - 1, rows_of, Spread::kDataAndFirstRedundant);
  code.proof = "Corbett et al.'s theorem: p is a prime above 2, k < p";
  finish_packets(code, spec, fmt::format("rdp:k={},p={}", k, p));
  return code;
}

}  // namespace

extern constexpr Family kRdp = {
    .name = "rdp",
    .keys = "k p packet_bytes",
    .constraint = "p a prime above 2, k < p",
    .summary = "RAID-6 on packets in p - 1 rows: diagonals run through the row parity",
    .source = "Corbett et al., Row-diagonal parity for double disk failure correction, FAST 2004",
    .example = "rdp:k=4,p=5",
    .build = build_rdp,
};

}  // namespace xorloom
