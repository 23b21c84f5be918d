// Blaum and Roth's minimal-density RAID-6 for w + 1 prime: Q multiplies location j by x^j modulo
// 1 + x + … + x^w, in the basis that Jerasure uses.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/construction/array.hpp"
#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

Code build_blaum_roth(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxArrayRows);
  const std::size_t usual = prime_from(std::max<std::size_t>(5, k + 1)) - 1;
  const std::size_t w = spec.number_or("w", 2, kMaxArrayRows, usual);
  check_at_most("k", k, "w", w);
  const std::size_t p = w + 1;
  Code code = double_parity_code("blaum-roth", k, w, [w, p](std::size_t j, std::size_t l) {
    if (j == 0 || l != w - j) return std::vector<std::size_t>{(l + j) % p};
    const std::size_t half = j % 2 == 0 ? j / 2 : p / 2 + 1 + (j - 1) / 2;
    return std::vector<std::size_t>{j - 1, half - 1};
  });
  // With w + 1 not prime some pairs of losses cannot be rebuilt; then there is no proof but trying.
  if (is_prime(p)) code.proof = "Blaum and Roth's theorem: w + 1 is prime, k <= w";
  finish_packets(code, spec, fmt::format("blaum-roth:k={},w={}", k, w));
  return code;
}

constexpr std::array kSameBytes = {
    OtherSoftware{"Jerasure", "blaum_roth", [](const Code& code) { return is_prime(code.w + 1); }},
    OtherSoftware{"Ceph", "jerasure blaum_roth",
                  [](const Code& code) { return is_prime(code.w + 1) || code.w == 7; }},
};

}  // namespace

extern constexpr Family kBlaumRoth = {
    .name = "blaum-roth",
    .keys = "k w packet_bytes",
    .constraint = "w + 1 a prime, k <= w; with other w, all losses are tried when the code is made",
    .summary = "RAID-6 of minimal density on packets, for other w than liberation takes",
    .source =
        "Blaum and Roth, On lowest density MDS codes, IEEE Trans. Inf. Theory 45(1), 1999; "
        "Jerasure's blaum_roth",
    .example = "blaum-roth:k=5,w=6",
    .build = build_blaum_roth,
    .same_bytes = kSameBytes,
};

}  // namespace xorloom
