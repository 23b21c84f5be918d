// Leopard's code. The data are values of a polynomial at the points M + j, the redundancy its
// values at the points i, all of them coordinates in a Cantor basis:
//
//   point   0 … m-1      m … M-1      M … M+k-1   M+k … 2^w-1
//   holds   redundancy   never sent   data        zeros
//
// Leopard evaluates the polynomial by additive Fourier transforms. Its matrix is a Cauchy matrix
// with scaled columns.

#include "codes/families/leopard.hpp"

#include <array>
#include <bit>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

const Field& leopard_field(std::size_t w) {
  if (w == 8) {
    static constexpr std::array<Field::Symbol, 8> kBasis = {1, 214, 152, 146, 86, 200, 88, 230};
    static const Field field(8, 0x11d, kBasis);
    return field;
  }
  static constexpr std::array<Field::Symbol, 16> kBasis = {
      0x0001, 0xacca, 0x3c0e, 0x163e, 0xc582, 0xed2e, 0x914c, 0x4012,
      0x6c98, 0x10d8, 0x6a72, 0xb900, 0xfdb8, 0xfb34, 0xff38, 0x991e};
  static const Field field(16, 0x1002d, kBasis);
  return field;
}

Matrix leopard_matrix(const Field& field, std::size_t k, std::size_t m) {
  const std::size_t points = std::bit_ceil(m);
  const auto levels = static_cast<std::size_t>(std::countr_zero(points));
  std::vector<Field::Symbol> inverses(k == 1 ? 0 : std::bit_ceil(points + k));
  for (std::size_t symbol = 1; symbol < inverses.size(); ++symbol) {
    inverses[symbol] = field.invert(static_cast<Field::Symbol>(symbol));
  }
  return matrix_of(m, k, [&](std::size_t i, std::size_t j) {
    if (k == 1) return Field::Symbol{1};
    const std::size_t point = points + j;
    return field.multiply(static_cast<Field::Symbol>(point >> levels), inverses[point ^ i]);
  });
}

namespace {

/// Bytes of a plane: a block of 64 bytes has the low bytes of its 32 symbols, then the high bytes.
constexpr std::size_t kPlaneBytes = 32;

Code build_leopard(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const std::size_t m = spec.number("m", 1, kMaxLocations);
  const std::size_t points = std::bit_ceil(m) + k;
  const std::size_t w = spec.number_or("w", 0, kAnyNumber, points <= 256 ? 8 : 16);
  if (w != 8 && w != 16) {
    fail(Status::kInvalidArgument, "w = {} is not 8 or 16, as leopard needs", w);
  }
  if (points > std::size_t{1} << w) {
    fail(Status::kInvalidArgument,
         "leopard needs M + k <= {} for w = {}, where M is the power of two from m up; it is {}",
         std::size_t{1} << w, w, points);
  }
  const Field& field = leopard_field(w);
  // On words the matrix is never inverted, and the field bounds it. Strangers' specs have limits.
  const bool is_bounded =
      spec.limits().symbols < kMaxSymbols || spec.find("arrangement") == "packet";
  if (is_bounded) check_matrix_fits(spec, k, m, field);
  Code code = systematic_code("leopard", field, leopard_matrix(field, k, m));
  code.transform_points = k == 1 ? 0 : std::bit_ceil(m);
  code.proof = k == 1 ? "each location is a copy"
                      : "every square part of a Cauchy matrix with scaled columns has an inverse";
  if (w == 16) code.plane_bytes = kPlaneBytes;
  return code;
}

/// True if Leopard-RS has the code: m <= k, and symbols of 8 bits if these suffice, else 16.
bool has_code(const Code& code) {
  const std::size_t w = std::bit_ceil(code.m) + code.k <= 256 ? 8 : 16;
  return code.m <= code.k && code.w == w;
}

constexpr std::array kSameBytesLeopard = {
    OtherSoftware{"Leopard-RS", "", has_code},
};

}  // namespace

extern constexpr Family kLeopard = {
    .name = "leopard",
    .keys = "k m w arrangement packet_bytes",
    .constraint =
        "M + k <= 2^w, where M is the power of two from m up; w is 8 or 16, by default 8 if that "
        "suffices; Leopard itself needs m <= k",
    .summary = "Leopard's Reed-Solomon, whose symbols are coordinates in a Cantor basis",
    .source =
        "Taylor, Leopard-RS; Lin et al., Novel polynomial basis with FFT, IEEE Trans. Inf. "
        "Theory 2016",
    .example = "leopard:k=10,m=4",
    .build = build_leopard,
    .same_bytes = kSameBytesLeopard,
};

}  // namespace xorloom
