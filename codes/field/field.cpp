#include "codes/field/field.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "codes/field/bitmatrix.hpp"
#include "codes/field/wide_products.hpp"
#include "codes/text/error.hpp"
#include "codes/text/made_once.hpp"

namespace xorloom {
namespace {

std::size_t degree(std::uint64_t polynomial) {
  return static_cast<std::size_t>(std::bit_width(polynomial)) - 1;
}

std::uint64_t remainder(std::uint64_t a, std::uint64_t modulus) {
  const std::size_t d = degree(modulus);
  while (a != 0 && degree(a) >= d) a ^= modulus << (degree(a) - d);
  return a;
}

/// The symbols of 1, x, x^2, …: the inverse of the matrix of bits whose columns are `elements`.
/// Empty if the elements are dependent.
std::vector<Field::Symbol> inverse_of(const std::vector<Field::Symbol>& elements) {
  const std::size_t w = elements.size();
  BitMatrix columns(w, w);
  for (std::size_t bit = 0; bit < w; ++bit) {
    for (std::size_t i = 0; i < w; ++i) {
      if ((elements[i] >> bit & 1U) != 0) columns.flip(bit, i);
    }
  }
  const std::optional<BitMatrix> inverted = inverse(columns);
  if (!inverted) return {};
  std::vector<Field::Symbol> symbols(w);
  for (std::size_t i = 0; i < w; ++i) {
    for (const std::size_t bit : inverted->ones(i)) symbols[bit] |= Field::Symbol{1} << i;
  }
  return symbols;
}

/// a*b mod modulus. Precondition: a and b have a lower degree than modulus.
std::uint64_t multiply_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  if (modulus >> 32 == 1) return WideProducts(a, modulus)(b);
  const std::uint64_t top = std::bit_floor(modulus);
  std::uint64_t product = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) product ^= a;
    a <<= 1;
    if ((a & top) != 0) a ^= modulus;
  }
  return product;
}

/// 1/a mod modulus by the extended Euclidean algorithm. Invariants, modulo `modulus`:
/// a·by_a = value, and a·other_by_a = other. Precondition: modulus is irreducible, and a is not 0
/// and of lower degree.
std::uint64_t inverse_modulo(std::uint64_t a, std::uint64_t modulus) {
  std::uint64_t value = a;
  std::uint64_t other = modulus;
  std::uint64_t by_a = 1;
  std::uint64_t other_by_a = 0;
  while (value != 1) {
    if (value < other) {
      std::swap(value, other);
      std::swap(by_a, other_by_a);
      if (value == 1) break;
    }
    const std::size_t shift = degree(value) - degree(other);
    value ^= other << shift;
    by_a ^= other_by_a << shift;
  }
  return by_a;
}

std::uint64_t greatest_common_divisor(std::uint64_t a, std::uint64_t b) {
  while (b != 0) a = std::exchange(b, remainder(a, b));
  return a;
}

}  // namespace

std::uint64_t default_polynomial(std::size_t w) {
  constexpr std::uint64_t kPolynomials[] = {0x3,    0x7,    0xb,    0x13,   0x25,  0x43,
                                            0x89,   0x11d,  0x211,  0x409,  0x805, 0x1053,
                                            0x201b, 0x4443, 0x8003, 0x1100b};
  if (w >= 1 && w <= 16) return kPolynomials[w - 1];
  return w == 32 ? kDefaultModulus32 : 0;
}

bool is_irreducible(std::uint64_t polynomial) {
  if (polynomial < 4) return polynomial >= 2;
  const std::size_t d = degree(polynomial);
  // Irreducible if x^(2^d) = x mod polynomial, and x^(2^(d/p)) - x is coprime to it for each prime
  // p that divides d.
  const auto frobenius = [&](std::size_t times) {
    std::uint64_t value = 2;
    for (std::size_t i = 0; i < times; ++i) value = multiply_modulo(value, value, polynomial);
    return value;
  };
  if (frobenius(d) != 2) return false;
  std::size_t rest = d;
  for (std::size_t p = 2; p <= rest; ++p) {
    if (rest % p != 0) continue;
    while (rest % p == 0) rest /= p;
    if (greatest_common_divisor(polynomial, frobenius(d / p) ^ 2) != 1) return false;
  }
  return true;
}

const Field& gf2() {
  static const Field field(1);
  return field;
}

Field::Field(std::size_t w) : Field(w, default_polynomial(w)) {}

Field::Field(std::size_t w, std::uint64_t polynomial) : w_(w), polynomial_(polynomial) {
  if (default_polynomial(w) == 0) {
    fail(Status::kInvalidArgument, "w = {} is not one of 2 to 16 or 32", w);
  }
  if (polynomial >> w != 1) {
    fail(Status::kInvalidArgument,
         "polynomial {:#x} is not of degree w = {}: it lies outside {:#x} to {:#x}", polynomial, w,
         std::uint64_t{1} << w, (std::uint64_t{2} << w) - 1);
  }
  if (polynomial != default_polynomial(w) && !is_irreducible(polynomial)) {
    fail(Status::kInvalidArgument,
         "polynomial {:#x} is reducible: it gives no field of 2^{} symbols", polynomial, w);
  }
  make_tables();
}

Field::Field(std::size_t w, std::uint64_t polynomial, std::span<const Symbol> basis)
    : Field(w, polynomial) {
  Basis given{{basis.begin(), basis.end()}, {}};
  const bool fits = basis.size() == w && basis[0] == 1 &&
                    std::ranges::all_of(basis, [&](Symbol element) { return element < size(); });
  if (fits) given.powers_of_x = inverse_of(given.elements);
  if (given.powers_of_x.empty()) {
    fail(Status::kInvalidArgument,
         "{} elements are no basis of GF(2^{}): a basis has w = {} independent elements below 2^w, "
         "and here the first is 1",
         basis.size(), w, w);
  }
  bool is_usual = true;  // 1, x, x^2, …
  for (std::size_t i = 0; i < w; ++i) is_usual = is_usual && basis[i] == Symbol{1} << i;
  if (is_usual) return;
  basis_ = std::make_shared<Basis>(std::move(given));
  make_tables();
}

/// Sets tables_. Tables of a default polynomial are made once per process.
void Field::make_tables() {
  if (w_ > 16) return;
  const auto made = [&] {
    auto tables = std::make_shared<Tables>();
    const auto order = static_cast<std::uint32_t>(size() - 1);
    tables->log.resize(order + 1);
    tables->exp.resize(std::size_t{2} * order);
    // x need not generate the multiplicative group, so take the first element that does.
    for (Symbol generator = 1;; ++generator) {
      // Products are linear in a symbol: sums of products of its bytes, which are sums of those of
      // bits.
      constexpr std::size_t kBytes = 256;
      std::array<std::array<Symbol, kBytes>, 2> product_of_byte{};
      for (std::size_t bit = 0; bit < w_; ++bit) {
        std::array<Symbol, kBytes>& products = product_of_byte[bit / 8];
        const std::size_t first = std::size_t{1} << bit % 8;
        products[first] = multiply_by_shifts(Symbol{1} << bit, generator);
        for (std::size_t v = 1; v < first; ++v) products[first + v] = products[first] ^ products[v];
      }
      Symbol value = 1;
      std::uint32_t exponent = 0;
      do {
        tables->exp[exponent] = value;
        tables->exp[exponent + order] = value;
        tables->log[value] = exponent++;
        value = product_of_byte[0][value % kBytes] ^ product_of_byte[1][value / kBytes];
      } while (value != 1);
      if (exponent == order) return tables;
    }
  };
  if (basis_ || polynomial_ != default_polynomial(w_)) {
    tables_ = made();
    return;
  }
  static auto* const kept = new std::array<MadeOnce<std::shared_ptr<const Tables>>, 17>;
  tables_ = (*kept)[w_].get(made);
}

Field::Symbol Field::multiply_by_shifts(Symbol a, Symbol b) const {
  return symbol_of(
      static_cast<Symbol>(multiply_modulo(polynomial_of(a), polynomial_of(b), polynomial_)));
}

Field::Symbol Field::combined(const std::vector<Symbol>& elements, Symbol bits) {
  Symbol sum = 0;
  for (; bits != 0; bits &= bits - 1) {
    sum ^= elements[static_cast<std::size_t>(std::countr_zero(bits))];
  }
  return sum;
}

Field::Symbol Field::invert(Symbol a) const {
  if (a == 0) fail(Status::kInvalidArgument, "0 has no inverse in GF(2^{})", w_);
  if (tables_) return exponential(static_cast<std::uint32_t>(size() - 1) - logarithm(a));
  return symbol_of(static_cast<Symbol>(inverse_modulo(polynomial_of(a), polynomial_)));
}

Field::Symbol Field::power(Symbol a, std::uint64_t n) const {
  Symbol result = 1;
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) result = multiply(result, a);
    a = multiply(a, a);
  }
  return result;
}

std::string field_text(const Field& field) {
  std::string text = fmt::format("GF(2^{}) of polynomial {:#x}", field.w(), field.polynomial());
  if (field.basis().empty()) return text;
  return text + fmt::format(" in the basis {:#x}", fmt::join(field.basis(), ", "));
}

}  // namespace xorloom
