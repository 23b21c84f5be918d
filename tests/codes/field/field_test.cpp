#include "codes/field/field.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kWidths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32};

/// The number of irreducible polynomials of degree n, by Gauss's formula.
std::uint64_t irreducible_count(std::size_t n) {
  const auto moebius = [](std::size_t d) {
    int sign = 1;
    for (std::size_t p = 2; p <= d; ++p) {
      if (d % p != 0) continue;
      d /= p;
      if (d % p == 0) return 0;
      sign = -sign;
    }
    return sign;
  };
  std::int64_t sum = 0;
  for (std::size_t d = 1; d <= n; ++d) {
    if (n % d == 0) sum += moebius(d) * (std::int64_t{1} << (n / d));
  }
  return static_cast<std::uint64_t>(sum) / n;
}

}  // namespace

TEST_CASE("there are as many irreducible polynomials of each degree as Gauss counted") {
  for (std::size_t degree = 1; degree <= 14; ++degree) {
    std::uint64_t found = 0;
    for (std::uint64_t p = std::uint64_t{1} << degree; p < std::uint64_t{2} << degree; ++p) {
      if (is_irreducible(p)) ++found;
    }
    CAPTURE(degree);
    CHECK(found == irreducible_count(degree));
  }
}

TEST_CASE("products of irreducible polynomials are reducible, also of degree 32") {
  CHECK_FALSE(is_irreducible(0x101));        // (x + 1)^8
  CHECK_FALSE(is_irreducible(0x100000001));  // (x + 1)^32
  CHECK_FALSE(is_irreducible(0x11d << 1));
  CHECK(is_irreducible(0x100400007));
  CHECK(is_irreducible(0x10000008d));
  CHECK_FALSE(is_irreducible(0));
  CHECK_FALSE(is_irreducible(1));
}

TEST_CASE("multiplication by table is multiplication by shifts, for every pair up to w = 8") {
  for (const std::size_t w : kWidths) {
    if (w > 8) continue;
    const Field field(w);
    for (Field::Symbol a = 0; a < field.size(); ++a) {
      for (Field::Symbol b = 0; b < field.size(); ++b) {
        REQUIRE(field.multiply(a, b) == field.multiply_by_shifts(a, b));
      }
    }
  }
}

TEST_CASE(
    "products of 32 bits are sums of shifted factors, without their multiples of the modulus") {
  std::mt19937_64 random(1);
  for (const std::uint64_t modulus : {default_polynomial(32), std::uint64_t{0x10000008d}}) {
    const Field field(32, modulus);
    for (int i = 0; i < 10'000; ++i) {
      const auto a = static_cast<Field::Symbol>(random() >> random() % 32);
      const auto b = static_cast<Field::Symbol>(random() >> random() % 32);
      std::uint64_t product = 0;
      for (int bit = 0; bit < 32; ++bit) product ^= (b >> bit & 1U) * std::uint64_t{a} << bit;
      for (int bit = 62; bit >= 32; --bit) {
        if ((product >> bit & 1U) != 0) product ^= modulus << (bit - 32);
      }
      REQUIRE(field.multiply(a, b) == product);
    }
  }
}

TEST_CASE("every field keeps the laws of a field on random symbols") {
  constexpr std::uint64_t kSeed = 20260101;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  for (const std::size_t w : kWidths) {
    CAPTURE(w);
    const Field field(w);
    for (int i = 0; i < 2000; ++i) {
      const auto symbol = [&] { return static_cast<Field::Symbol>(random() % field.size()); };
      const Field::Symbol a = symbol();
      const Field::Symbol b = symbol();
      const Field::Symbol c = symbol();
      REQUIRE(field.multiply(a, b) == field.multiply_by_shifts(b, a));
      REQUIRE(field.multiply(a, field.multiply(b, c)) == field.multiply(field.multiply(a, b), c));
      REQUIRE(field.multiply(a, b ^ c) == (field.multiply(a, b) ^ field.multiply(a, c)));
      REQUIRE(field.multiply(a, 1) == a);
      if (a != 0) REQUIRE(field.multiply(a, field.invert(a)) == 1);
      if (b != 0) REQUIRE(field.multiply(field.divide(a, b), b) == a);
      REQUIRE(field.power(a, 5) == field.multiply(a, field.power(field.multiply(a, a), 2)));
    }
  }
}

TEST_CASE("a field over an irreducible polynomial that is not primitive works") {
  for (const std::uint64_t polynomial : {std::uint64_t{0x1f}, std::uint64_t{0x11b}}) {
    const Field field(polynomial == 0x1f ? 4 : 8, polynomial);
    for (Field::Symbol a = 1; a < field.size(); ++a) {
      REQUIRE(field.multiply(a, field.invert(a)) == 1);
      REQUIRE(field.multiply(a, 2) == field.multiply_by_shifts(a, 2));
    }
  }
  // FIPS 197, section 4.2: {57} · {83} = {c1}.
  CHECK(Field(8, 0x11b).multiply(0x57, 0x83) == 0xc1);
}

TEST_CASE("known products of the default polynomials come out") {
  CHECK(Field(8).multiply(0x80, 2) == 0x1d);
  CHECK(Field(4).multiply(8, 2) == 3);
  CHECK(Field(16).multiply(0x8000, 2) == 0x100b);
  CHECK(Field(32).multiply(0x80000000, 2) == 0x00400007);
}

TEST_CASE("in another basis products are those of the polynomials that symbols stand for") {
  constexpr std::uint64_t kSeed = 20260102;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  for (const std::size_t w : kWidths) {
    CAPTURE(w);
    const Field plain(w);
    std::vector<Field::Symbol> basis{1};  // 1, x + 1, x^2 + x + 1, …
    while (basis.size() < w) basis.push_back(basis.back() << 1 | 1);
    const Field field(w, plain.polynomial(), basis);
    CHECK((field == plain) == (w == 1));
    CHECK(field == Field(w, plain.polynomial(), basis));
    for (int i = 0; i < 500; ++i) {
      const auto a = static_cast<Field::Symbol>(random() % field.size());
      const auto b = static_cast<Field::Symbol>(random() % field.size());
      REQUIRE(field.symbol_of(field.polynomial_of(a)) == a);
      REQUIRE(field.polynomial_of(field.multiply(a, b)) ==
              plain.multiply(field.polynomial_of(a), field.polynomial_of(b)));
      REQUIRE(field.multiply(a, b) == field.multiply_by_shifts(a, b));
      REQUIRE(field.multiply(a, 1) == a);
      if (b != 0) REQUIRE(field.multiply(field.divide(a, b), b) == a);
    }
  }
}

TEST_CASE("the basis 1, x, x^2, … is the usual field, and what is no basis is refused") {
  using Basis = std::vector<Field::Symbol>;
  CHECK(Field(4, 0x13, Basis{1, 2, 4, 8}) == Field(4));
  CHECK(Field(4, 0x13, Basis{1, 2, 4, 8}).basis().empty());
  CHECK(field_text(Field(4, 0x13, Basis{1, 2, 8, 4})) ==
        "GF(2^4) of polynomial 0x13 in the basis 0x1, 0x2, 0x8, 0x4");
  for (const Basis& basis : {Basis{}, Basis{1, 2, 4}, Basis{1, 2, 4, 8, 3}, Basis{1, 2, 4, 16},
                             Basis{1, 2, 4, 7}, Basis{2, 1, 4, 8}, Basis{1, 0, 4, 8}}) {
    CHECK_THROWS_WITH_AS(
        Field(4, 0x13, basis),
        doctest::Contains("are no basis of GF(2^4): a basis has w = 4 independent elements"),
        Error);
  }
}

TEST_CASE("logarithms are those of the products that shifts make, and of inverses") {
  std::mt19937 random(5);
  constexpr std::array<Field::Symbol, 4> kBasis = {1, 6, 2, 8};
  for (const Field& field : {Field(1), Field(4), Field(4, 0x13, kBasis), Field(8), Field(16)}) {
    CAPTURE(field_text(field));
    const auto order = static_cast<std::uint32_t>(field.size() - 1);
    for (Field::Symbol a = 1; a <= order; ++a) {
      const std::uint32_t logarithm = field.logarithm(a);
      REQUIRE(logarithm < order);
      REQUIRE(field.exponential(logarithm) == a);
      REQUIRE(field.multiply_by_shifts(a, field.invert(a)) == 1);
      const auto b = static_cast<Field::Symbol>(1 + random() % order);
      REQUIRE(field.exponential(logarithm + field.logarithm(b)) == field.multiply_by_shifts(a, b));
    }
  }
}

TEST_CASE("a bad field is refused with the value and the bound") {
  CHECK_THROWS_WITH_AS(Field(17), "w = 17 is not one of 2 to 16 or 32", Error);
  CHECK_THROWS_WITH_AS(Field(0), "w = 0 is not one of 2 to 16 or 32", Error);
  CHECK_THROWS_WITH_AS(Field(8, 0x101),
                       "polynomial 0x101 is reducible: it gives no field of 2^8 symbols", Error);
  CHECK_THROWS_WITH_AS(Field(8, 0x1f),
                       "polynomial 0x1f is not of degree w = 8: it lies outside 0x100 to 0x1ff",
                       Error);
  CHECK_THROWS_WITH_AS(Field(8).invert(0), "0 has no inverse in GF(2^8)", Error);
}

}  // namespace xorloom
