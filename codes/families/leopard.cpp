// Leopard's code. The data are values of a polynomial at the points M + j, the redundancy its
// values at the points i, all of them coordinates in a Cantor basis:
//
//   point   0 … m-1      m … M-1      M … M+k-1   M+k … 255
//   holds   redundancy   never sent   data        zeros
//
// Leopard evaluates it by additive Fourier transforms. Its matrix is a Cauchy matrix with scaled
// columns.

#include "codes/families/leopard.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <utility>

#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

const Field& leopard_field() {
  static constexpr std::array<Field::Symbol, 8> kBasis = {1, 214, 152, 146, 86, 200, 88, 230};
  static const Field field(8, 0x11d, kBasis);
  return field;
}

Matrix leopard_matrix(const Field& field, std::size_t k, std::size_t m) {
  const std::size_t points = std::bit_ceil(m);
  const auto levels = static_cast<std::size_t>(std::countr_zero(points));
  Matrix matrix(m, k);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t point = points + j;
      matrix(i, j) = k == 1 ? 1
                            : field.divide(static_cast<Field::Symbol>(point >> levels),
                                           static_cast<Field::Symbol>(point ^ i));
    }
  }
  return matrix;
}

namespace {

Code build_leopard(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const std::size_t m = spec.number("m", 1, kMaxLocations);
  const std::size_t w = spec.number_or("w", 0, kAnyNumber, 8);
  if (w != 8) fail(Status::kInvalidArgument, fmt::format("w = {} is not 8, as leopard needs", w));
  const Field& field = leopard_field();
  const std::size_t points = std::bit_ceil(m) + k;
  if (points > field.size()) {
    fail(Status::kInvalidArgument,
         fmt::format("leopard needs M + k <= {} for w = {}, where M is the power of two from m up; "
                     "it is {}",
                     field.size(), w, points));
  }
  check_locations_fit(spec, k, m, field);
  Code code = systematic_code("leopard", field, leopard_matrix(field, k, m));
  code.transform_points = k == 1 ? 0 : std::bit_ceil(m);
  code.proof = k == 1 ? "each location is a copy"
                      : "every square part of a Cauchy matrix with scaled columns has an inverse";
  finish_words(code, spec, fmt::format("leopard:k={},m={},w={}", k, m, w));
  return code;
}

}  // namespace

extern constexpr Family kLeopard = {
    .name = "leopard",
    .keys = "k m w arrangement packet_bytes",
    .constraint =
        "M + k <= 256, where M is the power of two from m up; w = 8; Leopard itself needs "
        "m <= k",
    .summary = "Leopard's Reed-Solomon on bytes, whose bits are coordinates in a Cantor basis",
    .source =
        "Taylor, Leopard-RS; Lin et al., Novel polynomial basis with FFT, IEEE Trans. Inf. "
        "Theory 2016",
    .example = "leopard:k=10,m=4",
    .build = build_leopard,
};

}  // namespace xorloom
