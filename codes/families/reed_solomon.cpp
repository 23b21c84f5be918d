// Systematic Reed-Solomon from an extended Vandermonde matrix, as Jerasure's reed_sol_van makes it:
// rows (1,0,…,0), (i^0,…,i^(k-1)) for i = 1…k+m-2, (0,…,0,1); columns are reduced until the top is
// the identity, then columns and rows scaled until the first redundant row and the first entry of
// each later one are 1. The closed form of the result is used here.

#include "codes/families/reed_solomon.hpp"

#include <fmt/format.h>

#include <array>

#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"

namespace xorloom {

Matrix reed_sol_van(const Field& field, std::size_t k, std::size_t m) {
  Matrix matrix(m, k);
  const auto symbol = [](std::size_t value) { return static_cast<Field::Symbol>(value); };
  for (std::size_t c = 0; c < k; ++c) {
    matrix(0, c) = 1;
    if (m == 1) continue;
    const Field::Symbol last = field.divide(symbol(k ^ c), symbol(k));
    for (std::size_t r = 1; r + 1 < m; ++r) {
      matrix(r, c) = field.multiply(last, field.divide(symbol(k + r), symbol((k + r) ^ c)));
    }
    matrix(m - 1, c) = last;
  }
  return matrix;
}

namespace {

Code build_rs(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const std::size_t m = spec.number("m", 1, kMaxLocations);
  const Field field = spec.field(spec.number_or("w", 0, kAnyNumber, 8));
  check_locations_fit(spec, k, m, field);
  Code code = systematic_code("rs", field, reed_sol_van(field, k, m));
  code.proof =
      "a Vandermonde matrix with distinct points, whose columns and rows are only recombined";
  finish_words(code, spec,
               fmt::format("rs:k={},m={},w={},poly={:#x}", k, m, field.w(), field.polynomial()));
  return code;
}

constexpr std::array kSameBytesRs = {
    OtherSoftware{"Jerasure", "reed_sol_van", has_words_of_jerasure},
    OtherSoftware{"Ceph", "jerasure reed_sol_van", has_words_of_jerasure},
    OtherSoftware{"liberasurecode", "jerasure_rs_vand",
                  [](const Code& code) { return code.w == 16 && has_usual_field(code); }, false},
};

}  // namespace

extern constexpr Family kRs = {
    .name = "rs",
    .keys = "k m w poly arrangement packet_bytes",
    .constraint = "k + m <= 2^w; words: w = 4, 8, 16 or 32",
    .summary = "Reed-Solomon on words, from a systematic Vandermonde matrix",
    .source =
        "Plank and Ding, Note: correction to the 1997 tutorial on Reed-Solomon coding, 2005; "
        "Jerasure's reed_sol_van",
    .example = "rs:k=10,m=4",
    .build = build_rs,
    .same_bytes = kSameBytesRs,
};

}  // namespace xorloom
