// Minimal-density RAID-6 for w prime: Q adds the data rotated by their location, and one more bit
// of each location but the first.

#include <fmt/format.h>

#include <array>

#include "codes/construction/array.hpp"
#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

Code build_liberation(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxArrayRows);
  const std::size_t w = read_prime(spec, "w", k);
  check_at_most("k", k, "w", w);
  Code code = double_parity_code("liberation", k, w, [w](std::size_t j, std::size_t l) {
    std::vector<std::size_t> rows = {(l + j) % w};
    const std::size_t y = j * (w - 1) / 2 % w;
    if (j > 0 && l == y) rows.push_back((y + j - 1) % w);
    return rows;
  });
  code.proof = "Plank's theorem for Liberation codes: w is a prime above 2, k <= w";
  finish_packets(code, spec, fmt::format("liberation:k={},w={}", k, w));
  return code;
}

constexpr std::array kSameBytesLiberation = {
    OtherSoftware{"Jerasure", "liberation"},
    OtherSoftware{"Ceph", "jerasure liberation"},
};

}  // namespace

extern constexpr Family kLiberation = {
    .name = "liberation",
    .keys = "k w packet_bytes",
    .constraint = "w a prime above 2, k <= w",
    .summary = "RAID-6 of minimal density on packets: k - 1 + (k-1)/(2w) XORs per redundant bit",
    .source = "Plank, The RAID-6 Liberation codes, FAST 2008; Jerasure's liberation",
    .example = "liberation:k=5,w=7",
    .build = build_liberation,
    .same_bytes = kSameBytesLiberation,
};

}  // namespace xorloom
