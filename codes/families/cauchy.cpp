// Cauchy Reed-Solomon codes: every square submatrix of a matrix 1/(x_i + y_j) with distinct points
// is invertible, and stays so if rows and columns are scaled.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

using Points = std::vector<Field::Symbol>;

constexpr const char* kProof = "every square part of a Cauchy matrix has an inverse";

Points consecutive(std::size_t first, std::size_t count) {
  Points points(count);
  std::iota(points.begin(), points.end(), static_cast<Field::Symbol>(first));
  return points;
}

Points read_points(Spec& spec, const char* key, const Field& field, std::size_t count,
                   const char* count_name, const Points& otherwise) {
  auto points = spec.symbols(key, field);
  if (!points) points = otherwise;
  if (points->size() != count) {
    fail(Status::kInvalidArgument, "{} gives {}, not {} = {}", key,
         counted(points->size(), "point"), count_name, count);
  }
  spec.settle(key, fmt::format("{}", fmt::join(*points, "+")));
  return *std::move(points);
}

void check_distinct(const Points& x, const Points& y) {
  Points all = x;
  all.insert(all.end(), y.begin(), y.end());
  std::ranges::sort(all);
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end()) {
    fail(Status::kInvalidArgument,
         "Cauchy point {} is repeated: the points of x and y must all differ", *twice);
  }
}

Matrix cauchy_matrix(const Field& field, const Points& x, const Points& y) {
  return matrix_of(x.size(), y.size(),
                   [&](std::size_t i, std::size_t j) { return field.invert(x[i] ^ y[j]); });
}

/// Divides each column by its first entry. Then divides each later row by one of its entries, or by
/// 1: the one that leaves the fewest ones in the bitmatrix, the first of equal ones.
void scale_for_few_ones(const Field& field, Matrix& matrix) {
  for (std::size_t j = 0; j < matrix.columns(); ++j) {
    const Field::Symbol scale = field.invert(matrix(0, j));
    for (std::size_t i = 0; i < matrix.rows(); ++i)
      matrix(i, j) = field.multiply(matrix(i, j), scale);
  }
  auto weight_of = [&, weights = std::unordered_map<Field::Symbol, std::size_t>()](
                       Field::Symbol symbol) mutable {
    const auto [entry, is_new] = weights.try_emplace(symbol);
    if (is_new) entry->second = weight(field, symbol);
    return entry->second;
  };
  for (std::size_t i = 1; i < matrix.rows(); ++i) {
    const auto ones = [&](Field::Symbol scale) {
      std::size_t sum = 0;
      for (const Field::Symbol symbol : matrix.row(i)) {
        sum += weight_of(field.multiply(scale, symbol));
      }
      return sum;
    };
    Field::Symbol best = 1;
    std::size_t fewest = ones(best);
    for (const Field::Symbol symbol : matrix.row(i)) {
      const Field::Symbol scale = field.invert(symbol);
      const std::size_t count = ones(scale);
      if (count >= fewest) continue;
      best = scale;
      fewest = count;
    }
    scale_row(field, matrix.row(i), best);
  }
}

/// The nonzero symbols by the number of ones in their block, then by value; ascending.
Points by_weight(const Field& field) {
  Points symbols = consecutive(1, field.size() - 1);
  std::ranges::sort(symbols, {}, [&](Field::Symbol symbol) {
    return std::pair{weight(field, symbol), symbol};
  });
  return symbols;
}

Code build_cauchy(Spec& spec) {
  const auto [k, m, field] = Parameters(spec);
  check_packets_fit(k, m, field);
  const Points x = read_points(spec, "x", field, m, "m", consecutive(0, m));
  const Points y = read_points(spec, "y", field, k, "k", consecutive(m, k));
  check_distinct(x, y);
  return systematic_code("cauchy", field, cauchy_matrix(field, x, y), kProof);
}

Code build_cauchy_good(Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const std::size_t m = spec.number("m", 1, kMaxLocations);
  const Field field = spec.field(spec.number_or("w", 0, kAnyNumber, 8));
  const std::size_t w = field.w();
  // Jerasure's list for m = 2 ends at 1023 symbols for w = 11.
  const bool has_list = m == 2 && w <= 11 && (w < 11 || k <= 1023);
  if (has_list && k >= field.size()) {
    fail(Status::kInvalidArgument, "k = {} is not below 2^w = {}", k, field.size());
  }
  Matrix matrix;
  std::string proof = kProof;
  if (has_list) {
    matrix = Matrix(2, k);
    std::ranges::fill(matrix.row(0), Field::Symbol{1});
    std::ranges::copy_n(by_weight(field).begin(), static_cast<std::ptrdiff_t>(k),
                        matrix.row(1).begin());
    proof = "a row of ones over a row of distinct non-zero symbols has no singular square part";
  } else {
    check_locations_fit(spec, k, m, field);
    check_packets_fit(k, m, field);
    check_operations(spec.limits(), std::uint64_t{k} * k * m);
    matrix = cauchy_matrix(field, consecutive(0, m), consecutive(m, k));
    scale_for_few_ones(field, matrix);
  }
  return systematic_code("cauchy-good", field, std::move(matrix), std::move(proof));
}

/// The Cauchy matrix of ISA-L, over GF(2^8) with 0x11d; with m = 1 the family is plain parity.
Code build_isa_cauchy(Spec& spec) {
  const auto [k, m, field] = Parameters(spec, Field(8, 0x11d));
  Matrix matrix = cauchy_matrix(field, consecutive(k, m), consecutive(0, k));
  if (m == 1) std::ranges::fill(matrix.row(0), Field::Symbol{1});
  return systematic_code("isa-cauchy", field, std::move(matrix), kProof);
}

/// True if the points are those of Jerasure's cauchy_orig.
bool has_usual_points(const Code& code) {
  return has_packets_of_jerasure(code) &&
         code.parity ==
             cauchy_matrix(code.field, consecutive(0, code.m), consecutive(code.m, code.k));
}

constexpr std::array kSameBytesCauchy = {
    OtherSoftware{"Jerasure", "cauchy_orig", has_usual_points},
    OtherSoftware{"Ceph", "jerasure cauchy_orig", has_usual_points, true, 8},
    OtherSoftware{"liberasurecode", "jerasure_rs_cauchy",
                  [](const Code& code) { return code.w == 4 && has_usual_points(code); }, false},
};

constexpr std::array kSameBytesScaled = {
    OtherSoftware{"Jerasure", "cauchy_good", has_packets_of_jerasure},
    OtherSoftware{"Ceph", "jerasure cauchy_good", has_packets_of_jerasure, true, 8},
};

/// m >= 2: with m = 1, the matrix of ISA-L is not plain parity.
bool has_several(const Code& code) { return code.m >= 2; }

constexpr std::array kSameBytesIsaCauchy = {
    OtherSoftware{"ISA-L", "gf_gen_cauchy1_matrix", has_several},
    OtherSoftware{"Ceph", "isa cauchy"},
    OtherSoftware{"liberasurecode", "isa_l_rs_cauchy", has_several, false},
};

}  // namespace

extern constexpr Family kCauchy = {
    .name = "cauchy",
    .keys = "k m w x y poly packet_bytes",
    .constraint = "k + m <= 2^w, w = 2 to 16 or 32; m + k distinct points",
    .summary = "Cauchy Reed-Solomon on packets: 1/(x_i XOR y_j); default: x_i = i, y_j = m + j",
    .source =
        "Bloemer et al., An XOR-based erasure-resilient coding scheme, ICSI TR-95-048, 1995; "
        "Jerasure's cauchy_orig",
    .example = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0",
    .build = build_cauchy,
    .same_bytes = kSameBytesCauchy,
};

extern constexpr Family kCauchyGood = {
    .name = "cauchy-good",
    .keys = "k m w poly packet_bytes",
    .constraint = "k + m <= 2^w, or k < 2^w if m = 2 (w <= 10); w = 2 to 16 or 32",
    .summary = "Cauchy Reed-Solomon on packets, scaled for few ones in the bitmatrix",
    .source =
        "Plank and Xu, Optimizing Cauchy Reed-Solomon codes, IEEE NCA 2006; Jerasure's cauchy_good",
    .example = "cauchy-good:k=10,m=4,w=8",
    .build = build_cauchy_good,
    .same_bytes = kSameBytesScaled,
};

extern constexpr Family kIsaCauchy = {
    .name = "isa-cauchy",
    .keys = "k m arrangement packet_bytes",
    .constraint = "k + m <= 256",
    .summary = "ISA-L's Cauchy matrix on bytes: 1/((k + i) XOR j); m = 1 is plain parity",
    .source = "Intel ISA-L, gf_gen_cauchy1_matrix; Ceph's isa plugin, cauchy",
    .example = "isa-cauchy:k=10,m=4",
    .build = build_isa_cauchy,
    .same_bytes = kSameBytesIsaCauchy,
};

}  // namespace xorloom
