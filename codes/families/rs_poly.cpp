// Reed-Solomon as polynomials: the locations hold the values of one polynomial of degree below k at
// the powers of a primitive element a. The k data locations say which polynomial that is; the
// redundant ones hold its values further on, by Lagrange's formula.
//
//   location   0      1     …   k-1      | k      …   k+m-1
//   holds      P(1)   P(a)  …   P(a^k-1) | P(a^k) …   P(a^(k+m-1))

#include "codes/families/rs_poly.hpp"

#include <fmt/format.h>

#include "codes/construction/bounds.hpp"
#include "codes/construction/finish.hpp"
#include "codes/families/family.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;

constexpr std::size_t kMostBits = 16;

/// 1, a, a^2, …
std::vector<Symbol> powers(const Field& field, std::size_t count) {
  const Symbol a = primitive_element(field);
  std::vector<Symbol> values;
  Symbol power = 1;
  for (std::size_t i = 0; i < count; ++i, power = field.multiply(power, a)) values.push_back(power);
  return values;
}

}  // namespace

Symbol primitive_element(const Field& field) {
  const std::uint64_t order = field.size() - 1;
  for (Symbol a = field.w() == 1 ? 1 : 2; a < field.size(); ++a) {
    bool is_primitive = true;
    for (std::uint64_t factor = 2, rest = order; rest > 1 && is_primitive; ++factor) {
      if (factor * factor > rest) factor = rest;
      if (rest % factor != 0) continue;
      while (rest % factor == 0) rest /= factor;
      is_primitive = field.power(a, order / factor) != 1;
    }
    if (is_primitive) return a;
  }
  fail(Status::kInternal, "every field has a primitive element");
}

Matrix polynomial_matrix(const Field& field, std::size_t k, std::size_t m) {
  const std::vector<Symbol> x = powers(field, k + m);
  // Lagrange: the value at y is the sum over c of D[c] · product (y - x[i]) / product (x[c] - x[i]),
  // both over all i of the data but c.
  std::vector<Symbol> below(k, 1);
  for (std::size_t c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < k; ++i) {
      if (i != c) below[c] = field.multiply(below[c], x[c] ^ x[i]);
    }
  }
  Matrix matrix(m, k);
  for (std::size_t r = 0; r < m; ++r) {
    Symbol all = 1;
    for (std::size_t i = 0; i < k; ++i) all = field.multiply(all, x[k + r] ^ x[i]);
    for (std::size_t c = 0; c < k; ++c) {
      matrix(r, c) = field.divide(all, field.multiply(x[k + r] ^ x[c], below[c]));
    }
  }
  return matrix;
}

namespace {

Code build_rs_poly(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxLocations);
  const std::size_t m = spec.number("m", 1, kMaxLocations);
  const Field field = spec.field(spec.number_or("w", 2, kMostBits, 8));
  if (k + m > field.size() - 1) {
    fail(Status::kInvalidArgument,
         fmt::format("k + m = {} exceeds the {} powers of a primitive element of w = {}", k + m,
                     field.size() - 1, field.w()));
  }
  check_locations_fit(spec, k, m, field);
  Code code = systematic_code("rs-poly", field, polynomial_matrix(field, k, m));
  code.proof = "any k values at distinct points determine a polynomial of degree below k";
  finish_words(
      code, spec,
      fmt::format("rs-poly:k={},m={},w={},poly={:#x}", k, m, field.w(), field.polynomial()));
  return code;
}

}  // namespace

extern constexpr Family kRsPoly = {
    .name = "rs-poly",
    .keys = "k m w poly arrangement packet_bytes",
    .constraint = "k + m < 2^w; w <= 16; words: w = 4, 8 or 16",
    .summary = "Reed-Solomon on words: values of a polynomial at powers of a primitive element",
    .source = "Reed and Solomon, Polynomial codes over certain finite fields, SIAM J. 1960",
    .example = "rs-poly:k=10,m=4",
    .build = build_rs_poly,
};

}  // namespace xorloom
