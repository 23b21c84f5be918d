// The two matrices of ISA-L, over GF(2^8) with 0x11d.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"

namespace xorloom {
namespace {

struct Parameters {
  Field field{8, 0x11d};
  std::size_t k;
  std::size_t m;
  explicit Parameters(const Spec& spec)
      : k(spec.number("k", 1, kMaxLocations)), m(spec.number("m", 1, kMaxLocations)) {
    check_locations_fit(spec, k, m, field);
  }
};

Code finished(const char* family, const Spec& spec, const Parameters& p, Matrix matrix) {
  Code code = systematic_code(family, p.field, std::move(matrix));
  finish_words(code, spec, fmt::format("{}:k={},m={}", family, p.k, p.m));
  return code;
}

Code build_isa_cauchy(const Spec& spec) {
  const Parameters p(spec);
  Matrix matrix(p.m, p.k);
  for (std::size_t i = 0; i < p.m; ++i) {
    for (std::size_t j = 0; j < p.k; ++j) {
      const auto difference = static_cast<Field::Symbol>((p.k + i) ^ j);
      matrix(i, j) = p.m == 1 ? 1 : p.field.invert(difference);
    }
  }
  Code code = finished("isa-cauchy", spec, p, std::move(matrix));
  code.proof = "every square part of a Cauchy matrix has an inverse";
  return code;
}

Code build_isa_vandermonde(const Spec& spec) {
  const Parameters p(spec);
  Matrix matrix(p.m, p.k);
  for (std::size_t i = 0; i < p.m; ++i) {
    for (std::size_t j = 0; j < p.k; ++j) matrix(i, j) = p.field.power(2, i * j);
  }
  Code code = finished("isa-vandermonde", spec, p, std::move(matrix));
  // Rows 1, g, g^2 with distinct g: the parts of rows {0,1}, {1,2} and all three are Vandermonde up
  // to scaling, and those of rows {0,2} are because squaring is one-to-one. Row 3 breaks it.
  if (p.m <= 3)
    code.proof = "up to three rows of powers of distinct symbols have no singular square part";
  return code;
}

/// With m = 1 the family is plain parity, and the matrix of ISA-L is not.
bool has_several(const Code& code) { return code.m >= 2; }

constexpr std::array kSameBytesIsaCauchy = {
    OtherSoftware{"ISA-L", "gf_gen_cauchy1_matrix", has_several},
    OtherSoftware{"Ceph", "isa cauchy"},
    OtherSoftware{"liberasurecode", "isa_l_rs_cauchy", has_several, false},
};

constexpr std::array kSameBytesIsaVandermonde = {
    OtherSoftware{"ISA-L", "gf_gen_rs_matrix"},
    OtherSoftware{"Ceph", "isa reed_sol_van"},
    OtherSoftware{"liberasurecode", "isa_l_rs_vand", nullptr, false},
};

}  // namespace

extern constexpr Family kIsaCauchy = {
    .name = "isa-cauchy",
    .keys = "k m arrangement packet_bytes",
    .constraint = "k + m <= 256",
    .summary = "ISA-L's Cauchy matrix on bytes: 1/((k + i) + j); m = 1 is plain parity",
    .source = "Intel ISA-L, gf_gen_cauchy1_matrix; Ceph's isa plugin, cauchy",
    .example = "isa-cauchy:k=10,m=4",
    .build = build_isa_cauchy,
    .same_bytes = kSameBytesIsaCauchy,
};

extern constexpr Family kIsaVandermonde = {
    .name = "isa-vandermonde",
    .keys = "k m arrangement packet_bytes",
    .constraint =
        "k + m <= 256; proved for m <= 3; with larger m, losses are tried when the code is made",
    .summary =
        "ISA-L's Vandermonde matrix on bytes: 2^(i*j); k and m that do not survive every m losses "
        "are refused",
    .source = "Intel ISA-L, gf_gen_rs_matrix; Ceph's isa plugin, reed_sol_van",
    .example = "isa-vandermonde:k=10,m=4",
    .build = build_isa_vandermonde,
    .same_bytes = kSameBytesIsaVandermonde,
};

}  // namespace xorloom
