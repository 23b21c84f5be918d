// Reed-Solomon codes of Vandermonde matrices, and of polynomials. Locations hold values of a
// polynomial of degree below k, or sums of the data times powers of symbols. Key `matrix` of rs
// chooses the matrices of other software.

#include "codes/families/reed_solomon.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/closest.hpp"
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

Matrix interpolation_matrix(const Field& field, std::span<const Field::Symbol> points,
                            std::size_t k) {
  // Lagrange: the value at y is the sum over c of
  // D[c] · product (y - x[i]) / product (x[c] - x[i]), both over all data points i except c.
  std::vector<Field::Symbol> below(k, 1);
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < k; ++i) {
      if (i != c) below[c] = field.multiply(below[c], points[c] ^ points[i]);
    }
  }
  Matrix matrix(points.size() - k, k);
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    const Field::Symbol y = points[k + r];
    Field::Symbol all = 1;
    for (std::size_t i = 0; i < k; ++i) all = field.multiply(all, y ^ points[i]);
    for (std::size_t c = 0; c < k; ++c) {
      matrix(r, c) = field.divide(all, field.multiply(y ^ points[c], below[c]));
    }
  }
  return matrix;
}

namespace {

constexpr const char* kInterpolationProof =
    "any k values at distinct points determine a polynomial of degree below k";
constexpr const char* kPowersProof =
    "up to three rows of powers of distinct symbols have no singular square part";

/// Throws kInvalidArgument if the operations of interpolation_matrix() exceed the spec's limit.
void check_interpolation(const Spec& spec, std::size_t k, std::size_t m, const Field& field) {
  const auto cost = static_cast<std::uint64_t>(multiplication_cost(field));
  check_operations(spec.limits(), cost * k * (k + m));
}

/// a^0 … a^(count-1).
std::vector<Field::Symbol> powers_of(const Field& field, Field::Symbol a, std::size_t count) {
  std::vector<Field::Symbol> powers(count, 1);
  for (std::size_t i = 1; i < count; ++i) powers[i] = field.multiply(powers[i - 1], a);
  return powers;
}

/// The first `count` powers of 2. `what` names the count: "k".
///
/// Errors: throws kInvalidArgument if two of them are equal.
std::vector<Field::Symbol> distinct_powers(const Field& field, std::size_t count,
                                           const char* what) {
  std::vector<Field::Symbol> powers = powers_of(field, 2, count);
  const auto repeated = std::find(powers.begin() + 1, powers.end(), Field::Symbol{1});
  if (repeated < powers.end()) {
    fail(Status::kInvalidArgument,
         "{} = {} exceeds {}, the number of different powers of 2 in the field of 2^{} symbols "
         "over {:#x}",
         what, count, repeated - powers.begin(), field.w(), field.polynomial());
  }
  return powers;
}

/// Row i holds the i-th powers of `symbols`.
Matrix rows_of_powers(const Field& field, std::size_t m, std::span<const Field::Symbol> symbols) {
  return matrix_of(m, symbols.size(),
                   [&](std::size_t i, std::size_t c) { return field.power(symbols[c], i); });
}

Matrix vandermonde_matrix(const Field& field, std::size_t k, std::size_t m) {
  std::vector<Field::Symbol> points(k + m);
  std::iota(points.begin(), points.end(), Field::Symbol{0});
  return interpolation_matrix(field, points, k);
}

Matrix zfec_matrix(const Field& field, std::size_t k, std::size_t m) {
  std::vector<Field::Symbol> points = distinct_powers(field, k + m - 1, "k + m - 1");
  points.insert(points.begin(), 0);
  return interpolation_matrix(field, points, k);
}

Matrix par1_matrix(const Field& field, std::size_t k, std::size_t m) {
  std::vector<Field::Symbol> symbols(k);
  std::iota(symbols.begin(), symbols.end(), Field::Symbol{1});
  return rows_of_powers(field, m, symbols);
}

Matrix raidz_matrix(const Field& field, std::size_t k, std::size_t m) {
  std::vector<Field::Symbol> powers = distinct_powers(field, k, "k");
  std::ranges::reverse(powers);
  return rows_of_powers(field, m, powers);
}

/// Rows of 1, g and 1/g, with g the powers of 2.
Matrix snapraid_z_matrix(const Field& field, std::size_t k, std::size_t m) {
  const std::vector<Field::Symbol> powers = distinct_powers(field, k, "k");
  return matrix_of(m, k, [&](std::size_t i, std::size_t c) {
    if (i == 2) return field.invert(powers[c]);
    return i == 1 ? powers[c] : Field::Symbol{1};
  });
}

/// A row of ones over a Cauchy matrix of rows y and columns x: x are the powers of 1/2; y are 0, 2,
/// 4, 8, … Rows are scaled so that their first entry is 1.
Matrix snapraid_matrix(const Field& field, std::size_t k, std::size_t m) {
  // x[c] and y[i] differ if 2^(c + i) is not 1; c + i is at most k + m - 3.
  const std::size_t needed = std::max(k, k + m - 2);
  const std::vector<Field::Symbol> powers =
      distinct_powers(field, needed, needed == k ? "k" : "k + m - 2");
  const auto entry = [&](std::size_t i, std::size_t c) {
    if (i == 1) return powers[c];
    return field.invert(field.invert(powers[c]) ^ powers[i - 1]);
  };
  return matrix_of(m, k, [&](std::size_t i, std::size_t c) {
    return i == 0 ? Field::Symbol{1} : field.divide(entry(i, c), entry(i, 0));
  });
}

/// A matrix that key `matrix` of rs chooses.
struct NamedMatrix {
  std::string_view name;
  Matrix (*make)(const Field& field, std::size_t k, std::size_t m);
  const char* proof;
  std::size_t proved_rows = kAnyNumber;  ///< the proof holds up to this m
  std::size_t most_rows = kAnyNumber;    ///< largest m
  bool has_point_for_each = true;        ///< each location takes a symbol: k + m <= 2^w
  bool is_interpolated = false;          ///< made by interpolation_matrix()
};

constexpr std::array kMatrices = {
    NamedMatrix{
        "jerasure", reed_sol_van,
        "a Vandermonde matrix with distinct points, whose columns and rows are only recombined"},
    NamedMatrix{"vandermonde", vandermonde_matrix, kInterpolationProof, kAnyNumber, kAnyNumber,
                true, true},
    NamedMatrix{"zfec", zfec_matrix, kInterpolationProof, kAnyNumber, kAnyNumber, true, true},
    NamedMatrix{"par1", par1_matrix, kPowersProof, 3},
    NamedMatrix{"snapraid", snapraid_matrix,
                "a row of ones over a Cauchy matrix with scaled rows has no singular square part",
                kAnyNumber, kAnyNumber, false},
    NamedMatrix{"snapraid-z", snapraid_z_matrix,
                "rows of 1, g and 1/g with distinct g have no singular square part", 3, 3, false},
    NamedMatrix{"raidz", raidz_matrix, kPowersProof, 3, 3, false},
};

/// The matrix that a spec names; Jerasure's without the key. The canonical spec leaves Jerasure's
/// out, as it did when there was no other.
const NamedMatrix& matrix_of_spec(Spec& spec) {
  const std::string_view name = spec.find("matrix").value_or(kMatrices.front().name);
  const auto* const found = std::ranges::find(kMatrices, name, &NamedMatrix::name);
  if (found == kMatrices.end()) {
    std::vector<std::string_view> names;
    for (const NamedMatrix& each : kMatrices) names.push_back(each.name);
    fail(Status::kInvalidArgument, "matrix = '{}' is not one of {}{}", excerpt(name),
         fmt::join(names, ", "), did_you_mean(name, names));
  }
  if (found != kMatrices.begin()) spec.settle("matrix", std::string(name));
  return *found;
}

/// True if a code of rs has Jerasure's matrix, words and field.
bool is_reed_sol_van(const Code& code) {
  return has_words_of_jerasure(code) && code.spec.find(",matrix=") == std::string::npos;
}

/// True if the spec of a code of rs names `matrix`, and symbols are bytes of the usual field.
bool is_of_bytes(const Code& code, std::string_view matrix) {
  return code.w == 8 && has_usual_field(code) &&
         code.spec.find(fmt::format(",matrix={},", matrix)) != std::string::npos;
}

bool is_vandermonde(const Code& code) { return is_of_bytes(code, "vandermonde"); }

Code build_rs(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const std::size_t m = spec.number("m", 1, kMaxLocations);
  const Field field = spec.field(spec.number_or("w", 0, kAnyNumber, 8));
  const NamedMatrix& matrix = matrix_of_spec(spec);
  if (m > matrix.most_rows) {
    fail(Status::kInvalidArgument, "m = {} exceeds {}, the rows of matrix={}", m, matrix.most_rows,
         matrix.name);
  }
  if (matrix.has_point_for_each) check_locations_fit(spec, k, m, field);
  check_matrix_fits(spec, k, m, field);
  if (matrix.is_interpolated) check_interpolation(spec, k, m, field);
  Code code = systematic_code("rs", field, matrix.make(field, k, m));
  if (m <= matrix.proved_rows) code.proof = matrix.proof;
  return code;
}

constexpr std::array kSameBytesRs = {
    OtherSoftware{"Jerasure", "reed_sol_van", is_reed_sol_van},
    OtherSoftware{"Ceph", "jerasure reed_sol_van", is_reed_sol_van, true, 8},
    OtherSoftware{"liberasurecode", "jerasure_rs_vand",
                  [](const Code& code) { return code.w == 16 && is_reed_sol_van(code); }, false},
    OtherSoftware{"klauspost/reedsolomon", "default", is_vandermonde},
    OtherSoftware{"klauspost/reedsolomon", "WithPAR1Matrix",
                  [](const Code& code) { return is_of_bytes(code, "par1"); }},
    OtherSoftware{"Backblaze", "JavaReedSolomon", is_vandermonde, false},
    OtherSoftware{"Gibraltar", "", is_vandermonde, false},
    OtherSoftware{"zfec", "", [](const Code& code) { return is_of_bytes(code, "zfec"); }},
    OtherSoftware{"SnapRAID", "",
                  [](const Code& code) { return code.m <= 6 && is_of_bytes(code, "snapraid"); }},
    OtherSoftware{"SnapRAID", "z-parity",
                  [](const Code& code) { return is_of_bytes(code, "snapraid-z"); }},
    OtherSoftware{"OpenZFS", "RAID-Z", [](const Code& code) { return is_of_bytes(code, "raidz"); }},
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
  check_interpolation(spec, k, m, field);
  const auto points = powers_of(field, field.generator(), k + m);
  return systematic_code("rs-poly", field, interpolation_matrix(field, points, k),
                         kInterpolationProof);
}

/// True if no square submatrix of the rows 1, g, g^2, g^3 is singular, with g the first k powers of
/// 2. The determinant of rows {0,3} for g and h is g^3 + h^3. Those of rows {0,1,3} and {0,2,3} for
/// three symbols are, up to nonzero factors, their sum and the sum of their pairwise products. All
/// other submatrices are those of three rows, up to scaling. Determinants are homogeneous, so one
/// symbol may be 1.
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
  // Rows 1, g, g^2 with distinct g: the submatrices of rows {0,1}, {1,2} and of all three are
  // Vandermonde up to scaling. So are those of rows {0,2}, because squaring is one-to-one.
  if (p.m <= 3) {
    code.proof = kPowersProof;
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
  Matrix matrix = rows_of_powers(field, 2, distinct_powers(field, k, "k"));
  return systematic_code(
      "raid6", field, std::move(matrix),
      "a row of ones over a row of distinct non-zero symbols has no singular square part");
}

constexpr std::array kSameBytesRaid6 = {
    OtherSoftware{"Jerasure", "reed_sol_r6_op", has_words_of_jerasure},
    OtherSoftware{"Ceph", "jerasure reed_sol_r6_op", has_words_of_jerasure, true, 8},
    OtherSoftware{"Linux", "RAID-6",
                  [](const Code& code) { return code.w == 8 && has_usual_field(code); }},
};

}  // namespace

extern constexpr Family kRs = {
    .name = "rs",
    .keys = "k m w poly matrix arrangement packet_bytes",
    .constraint =
        "k + m <= 2^w; words: w = 4, 8, 16 or 32; packets: w = 2 to 16 or 32; matrix is jerasure "
        "(default), vandermonde, zfec, par1 (proved for m <= 3), snapraid, snapraid-z or raidz "
        "(m <= 3 both)",
    .summary = "Reed-Solomon on words, from a systematic Vandermonde matrix or that of others",
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
    .constraint = "k + m < 2^w; words: w = 4, 8 or 16; packets: w = 2 to 16",
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
    .constraint =
        "k < 2^w; the powers 2^0 to 2^(k-1) differ; words: w = 4, 8, 16 or 32; packets: w = 2 to "
        "16 or 32",
    .summary = "P and Q on words: the sum of the data, and the sum of 2^c times chunk c",
    .source = "Anvin, The mathematics of RAID-6, 2004; Jerasure's reed_sol_r6_op",
    .example = "raid6:k=8",
    .build = build_raid6,
    .same_bytes = kSameBytesRaid6,
};

}  // namespace xorloom
