// P and Q as most RAID-6 software has them, and Jerasure's reed_sol_r6_op: P is the sum of the
// data, Q the sum of 2^c times chunk c.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

Code build_raid6(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const Field field = spec.field(spec.number_or("w", 0, kAnyNumber, 8));
  Matrix matrix(2, k);
  std::ranges::fill(matrix.row(0), Field::Symbol{1});
  Field::Symbol factor = 1;
  for (std::size_t c = 0; c < k; ++c) {
    if (c > 0 && factor == 1) {
      fail(Status::kInvalidArgument,
           fmt::format("k = {} exceeds {}, the number of different powers of 2 in the field of "
                       "2^{} symbols over {:#x}",
                       k, c, field.w(), field.polynomial()));
    }
    matrix(1, c) = factor;
    factor = field.multiply(factor, 2);
  }
  Code code = systematic_code("raid6", field, std::move(matrix));
  code.proof = "a row of ones over a row of distinct non-zero symbols has no singular square part";
  finish_words(code, spec,
               fmt::format("raid6:k={},w={},poly={:#x}", k, field.w(), field.polynomial()));
  return code;
}

constexpr std::array kSameBytesRaid6 = {
    OtherSoftware{"Jerasure", "reed_sol_r6_op", has_words_of_jerasure},
    OtherSoftware{"Ceph", "jerasure reed_sol_r6_op", has_words_of_jerasure},
};

}  // namespace

extern constexpr Family kRaid6 = {
    .name = "raid6",
    .keys = "k w poly arrangement packet_bytes",
    .constraint = "k < 2^w; the powers 2^0 to 2^(k-1) differ; words: w = 4, 8, 16 or 32",
    .summary = "P and Q on words: the sum of the data, and the sum of 2^c times chunk c",
    .source = "Anvin, The mathematics of RAID-6, 2004; Jerasure's reed_sol_r6_op",
    .example = "raid6:k=8",
    .build = build_raid6,
    .same_bytes = kSameBytesRaid6,
};

}  // namespace xorloom
