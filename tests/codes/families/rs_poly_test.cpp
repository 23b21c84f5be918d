#include "codes/families/reed_solomon.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;
using Symbols = std::vector<Symbol>;

Symbols random_symbols(const Field& field, std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<Symbol> any(0, static_cast<Symbol>(field.size() - 1));
  Symbols symbols(count);
  for (Symbol& symbol : symbols) symbol = any(random);
  return symbols;
}

/// By Horner's rule, with products made by shift and add.
Symbol value_at(const Field& field, const Symbols& polynomial, Symbol x) {
  Symbol value = 0;
  for (std::size_t i = polynomial.size(); i-- > 0;) {
    value = field.multiply_by_shifts(value, x) ^ polynomial[i];
  }
  return value;
}

struct Case {
  std::size_t k, m, w;
};
constexpr Case kCases[] = {{1, 1, 2}, {1, 6, 3},  {4, 2, 8},    {10, 4, 8},   {5, 10, 4},
                           {7, 8, 4}, {20, 5, 8}, {223, 32, 8}, {300, 20, 16}};

}  // namespace

TEST_CASE("Proposition 1: values of a polynomial are a product with a Vandermonde matrix") {
  for (const Case& one : kCases) {
    const std::size_t k = one.k;
    const std::size_t m = one.m;
    const std::size_t w = one.w;
    CAPTURE(k);
    CAPTURE(m);
    CAPTURE(w);
    const Field field(w);
    const Symbol a = field.generator();
    const Symbols message = random_symbols(field, k, static_cast<std::uint32_t>(k + m));
    for (std::size_t j = 0; j < k + m; ++j) {
      Symbol product = 0;  // the message times column j, which holds a^(i·j)
      for (std::size_t i = 0; i < k; ++i) {
        product ^= field.multiply(message[i], field.power(a, i * j));
      }
      REQUIRE(product == value_at(field, message, field.power(a, j)));
    }
  }
}

TEST_CASE("Redundancy is the values, further on, of the polynomial that the data are values of") {
  for (const Case& one : kCases) {
    const std::size_t k = one.k;
    const std::size_t m = one.m;
    const std::size_t w = one.w;
    CAPTURE(k);
    CAPTURE(m);
    CAPTURE(w);
    const Field field(w);
    const Symbol a = field.generator();
    Symbols points;
    for (std::size_t i = 0; i < k + m; ++i) points.push_back(field.power(a, i));
    const Matrix matrix = interpolation_matrix(field, points, k);
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      const Symbols message = random_symbols(field, k, seed);
      Symbols data;
      for (std::size_t i = 0; i < k; ++i) {
        data.push_back(value_at(field, message, field.power(a, i)));
      }
      for (std::size_t r = 0; r < m; ++r) {
        Symbol sum = 0;
        for (std::size_t c = 0; c < k; ++c) sum ^= field.multiply(matrix(r, c), data[c]);
        REQUIRE(sum == value_at(field, message, field.power(a, k + r)));
      }
    }
  }
}

TEST_CASE("The primitive element has all symbols but 0 as powers, and is 2 where that is usual") {
  for (std::size_t w = 1; w <= 10; ++w) {
    const Field field(w);
    const Symbol a = field.generator();
    CHECK(a == (w == 1 ? 1 : 2));
    std::set<Symbol> powers;
    for (std::uint64_t n = 0; n < field.size() - 1; ++n) powers.insert(field.power(a, n));
    CHECK(powers.size() == field.size() - 1);
  }
  // The polynomial of AES is not primitive: the powers of 2 are 51 of its 255 symbols.
  CHECK(Field(8, 0x11b).generator() == 3);
}

TEST_CASE("A code of polynomials has fewer locations than its field has symbols") {
  CHECK(make_code("rs-poly:k=223,m=32").promised_losses == 32);
  CHECK_THROWS_WITH_AS(make_code("rs-poly:k=224,m=32"),
                       "k + m = 256 exceeds the 255 powers of a primitive element of w = 8", Error);
  CHECK_THROWS_WITH_AS(make_code("rs-poly:k=2,m=2,w=2,arrangement=packet"),
                       "k + m = 4 exceeds the 3 powers of a primitive element of w = 2", Error);
  CHECK_THROWS_AS(make_code("rs-poly:k=0,m=1"), Error);
  CHECK_THROWS_AS(make_code("rs-poly:k=1,m=0"), Error);
  CHECK_THROWS_AS(make_code("rs-poly:k=4,m=2,w=32"), Error);
}

}  // namespace xorloom
