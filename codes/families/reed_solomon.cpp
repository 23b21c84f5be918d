// Reed-Solomon codes of Vandermonde matrices, and of polynomials. The locations hold values of a
// polynomial of degree below k, or sums of the data times powers of symbols.

#include "codes/families/reed_solomon.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "codes/families/family.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

Matrix reed_sol_van(const Field& field, std::size_t k, std::size_t m) {
  const auto symbol = [](std::size_t value) { return static_cast<Field::Symbol>(value); };
  return matrix_of(m, k, [&](std::size_t r, std::size_t c) {
    if (r == 0) return Field::Symbol{1};
    const Field::Symbol last = field.divide(symbol(k ^ c), symbol(k));
    if (r + 1 == m) return last;
    return field.multiply(last, field.divide(symbol(k + r), symbol((k + r) ^ c)));
  });
}

Matrix polynomial_matrix(const Field& field, std::size_t k, std::size_t m) {
  std::vector<Field::Symbol> x;
  for (std::size_t i = 0; i < k + m; ++i) x.push_back(field.power(field.generator(), i));
  // Lagrange: the value at y is the sum over c of
  // D[c] · product (y - x[i]) / product (x[c] - x[i]), both over all i of the data but c.
  std::vector<Field::Symbol> below(k, 1);
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < k; ++i) {
      if (i != c) below[c] = field.multiply(below[c], x[c] ^ x[i]);
    }
  }
  Matrix matrix(m, k);
  for (std::size_t r = 0; r < m; ++r) {
    Field::Symbol all = 1;
    for (std::size_t i = 0; i < k; ++i) all = field.multiply(all, x[k + r] ^ x[i]);
    for (std::size_t c = 0; c < k; ++c) {
      matrix(r, c) = field.divide(all, field.multiply(x[k + r] ^ x[c], below[c]));
    }
  }
  return matrix;
}

namespace {

Code build_rs(Spec& spec) {
  const auto [k, m, field] = Parameters(spec);
  return systematic_code(
      "rs", field, reed_sol_van(field, k, m),
      "a Vandermonde matrix with distinct points, whose columns and rows are only recombined");
}

constexpr std::array kSameBytesRs = {
    OtherSoftware{"Jerasure", "reed_sol_van", has_words_of_jerasure},
    OtherSoftware{"Ceph", "jerasure reed_sol_van", has_words_of_jerasure},
    OtherSoftware{"liberasurecode", "jerasure_rs_vand",
                  [](const Code& code) { return code.w == 16 && has_usual_field(code); }, false},
};

Code build_rs_poly(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const std::size_t m = spec.number("m", 1, kMaxLocations);
  const Field field = spec.field(spec.number_or("w", 2, 16, 8));
  if (k + m > field.size() - 1) {
    fail(Status::kInvalidArgument,
         "k + m = {} exceeds the {} powers of a primitive element of w = {}", k + m,
         field.size() - 1, field.w());
  }
  check_locations_fit(spec, k, m, field);
  return systematic_code(
      "rs-poly", field, polynomial_matrix(field, k, m),
      "any k values at distinct points determine a polynomial of degree below k");
}

/// Whether no square part of rows 1, g, g^2, g^3 is singular, g being the first k powers of 2. Rows
/// {0,3} of g and h give g^3 + h^3. Rows {0,1,3} and {0,2,3} of three symbols give their sum, and
/// the sum of the products of two, times what is not 0. All other parts are those of three rows, up
/// to scaling. As the parts are homogeneous, one symbol may be 1.
bool survive_four_rows(const Field& field, std::size_t k) {
  for (std::size_t j = 1; j < k; ++j) {
    const Field::Symbol h = field.power(2, j);
    if (field.power(h, 3) == 1) return false;
    for (std::size_t i = 1; i < j; ++i) {
      const Field::Symbol g = field.power(2, i);
      if ((1 ^ g ^ h) == 0 || (g ^ h ^ field.multiply(g, h)) == 0) return false;
    }
  }
  return true;
}

/// The Vandermonde matrix of ISA-L, over GF(2^8) with 0x11d.
Code build_isa_vandermonde(Spec& spec) {
  const Parameters p(spec, Field(8, 0x11d));
  const auto entry = [&](std::size_t i, std::size_t j) { return p.field.power(2, i * j); };
  Code code = systematic_code("isa-vandermonde", p.field, matrix_of(p.m, p.k, entry));
  // Rows 1, g, g^2 with distinct g: the parts of rows {0,1}, {1,2} and all three are Vandermonde up
  // to scaling, and those of rows {0,2} are because squaring is one-to-one.
  if (p.m <= 3) {
    code.proof = "up to three rows of powers of distinct symbols have no singular square part";
  } else if (p.m == 4 && survive_four_rows(p.field, p.k)) {
    code.proof = "four rows of the powers of these symbols have no singular square part";
  }
  return code;
}

constexpr std::array kSameBytesIsaVandermonde = {
    OtherSoftware{"ISA-L", "gf_gen_rs_matrix"},
    OtherSoftware{"Ceph", "isa reed_sol_van"},
    OtherSoftware{"liberasurecode", "isa_l_rs_vand", nullptr, false},
};

/// P and Q as most RAID-6 software has them: P is the sum of the data, Q the sum of 2^c times chunk
/// c.
Code build_raid6(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const Field field = spec.field(spec.number_or("w", 0, kAnyNumber, 8));
  Matrix matrix(2, k);
  std::ranges::fill(matrix.row(0), Field::Symbol{1});
  Field::Symbol factor = 1;
  for (std::size_t c = 0; c < k; ++c) {
    if (c > 0 && factor == 1) {
      fail(Status::kInvalidArgument,
           "k = {} exceeds {}, the number of different powers of 2 in the field of 2^{} symbols "
           "over {:#x}",
           k, c, field.w(), field.polynomial());
    }
    matrix(1, c) = factor;
    factor = field.multiply(factor, 2);
  }
  return systematic_code(
      "raid6", field, std::move(matrix),
      "a row of ones over a row of distinct non-zero symbols has no singular square part");
}

constexpr std::array kSameBytesRaid6 = {
    OtherSoftware{"Jerasure", "reed_sol_r6_op", has_words_of_jerasure},
    OtherSoftware{"Ceph", "jerasure reed_sol_r6_op", has_words_of_jerasure},
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

extern constexpr Family kRsPoly = {
    .name = "rs-poly",
    .keys = "k m w poly arrangement packet_bytes",
    .constraint = "k + m < 2^w; w <= 16; words: w = 4, 8 or 16",
    .summary = "Reed-Solomon on words: values of a polynomial at powers of a primitive element",
    .source = "Reed and Solomon, Polynomial codes over certain finite fields, SIAM J. 1960",
    .example = "rs-poly:k=10,m=4",
    .build = build_rs_poly,
};

extern constexpr Family kIsaVandermonde = {
    .name = "isa-vandermonde",
    .keys = "k m arrangement packet_bytes",
    .constraint =
        "k + m <= 256; proved for m <= 3, and m = 4 with k <= 21; other losses are tried when the "
        "code is made",
    .summary =
        "ISA-L's Vandermonde matrix on bytes: 2^(i*j); k and m that do not survive every m losses "
        "are refused",
    .source = "Intel ISA-L, gf_gen_rs_matrix; Ceph's isa plugin, reed_sol_van",
    .example = "isa-vandermonde:k=10,m=4",
    .build = build_isa_vandermonde,
    .same_bytes = kSameBytesIsaVandermonde,
};

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
