#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace xorloom {

/// GF(2^w) for w = 1…16 and 32, over any irreducible polynomial.
///
/// A symbol is an integer whose bit i is the coefficient of x^i (LSB-first); adding is XOR. A
/// polynomial is written with its leading term: 0x11d is x^8 + x^4 + x^3 + x^2 + 1. w = 1 is GF(2),
/// the field of array codes. Copies are cheap: they share their tables.
///
/// A field may have another basis than 1, x, x^2, …: then bit i of a symbol is the coefficient of
/// element i of the basis. Adding is still XOR, and 1 is still one. Products are those of the
/// polynomials that the symbols stand for.
class Field {
 public:
  using Symbol = std::uint32_t;

  /// The field over the default polynomial of w.
  ///
  /// Errors: throws kInvalidArgument if w is not 1…16 or 32.
  explicit Field(std::size_t w);

  /// Errors: throws kInvalidArgument if w is out of range, or the polynomial is not of degree w or
  ///         not irreducible.
  Field(std::size_t w, std::uint64_t polynomial);

  /// The field whose symbols are coordinates in `basis`, whose elements are polynomials.
  ///
  /// Errors: as above, and throws kInvalidArgument unless the basis has w independent elements, the
  ///         first of which is 1.
  Field(std::size_t w, std::uint64_t polynomial, std::span<const Symbol> basis);

  std::size_t w() const { return w_; }
  std::uint64_t polynomial() const { return polynomial_; }

  /// The elements of the basis, as polynomials; empty: 1, x, x^2, …
  std::span<const Symbol> basis() const {
    return basis_ ? std::span<const Symbol>(basis_->elements) : std::span<const Symbol>{};
  }
  /// The symbols of the polynomials 1, x, x^2, …; empty if basis() is.
  std::span<const Symbol> powers_of_x() const {
    return basis_ ? std::span<const Symbol>(basis_->powers_of_x) : std::span<const Symbol>{};
  }

  /// The polynomial that a symbol stands for: bit i is the coefficient of x^i.
  Symbol polynomial_of(Symbol symbol) const {
    return basis_ ? combined(basis_->elements, symbol) : symbol;
  }
  /// The symbol that stands for a polynomial of degree below w.
  Symbol symbol_of(Symbol polynomial) const {
    return basis_ ? combined(basis_->powers_of_x, polynomial) : polynomial;
  }

  /// 2^w, the number of symbols.
  std::uint64_t size() const { return std::uint64_t{1} << w_; }

  Symbol multiply(Symbol a, Symbol b) const {
    if (!tables_) return multiply_by_shifts(a, b);
    if (a == 0 || b == 0) return 0;
    return tables_->exp[tables_->log[a] + tables_->log[b]];
  }

  /// The product by shift and add, without tables, which are checked against it.
  Symbol multiply_by_shifts(Symbol a, Symbol b) const;

  /// 1/a. Errors: throws kInvalidArgument if a is 0.
  Symbol invert(Symbol a) const;

  /// a/b. Errors: throws kInvalidArgument if b is 0.
  Symbol divide(Symbol a, Symbol b) const { return multiply(a, invert(b)); }

  /// The n below 2^w - 1 with generator()^n = a; 0 if a is 0. Shape: w is at most 16.
  std::uint32_t logarithm(Symbol a) const { return tables_->log[a]; }

  /// generator()^n. Shape: w is at most 16; n is below 2·(2^w - 1).
  Symbol exponential(std::uint32_t n) const { return tables_->exp[n]; }

  /// The smallest symbol whose powers are all symbols except 0; 2 with the default polynomials.
  ///
  /// Shape: w is at most 16.
  Symbol generator() const { return tables_->exp[1]; }

  /// a^n, with a^0 = 1.
  Symbol power(Symbol a, std::uint64_t n) const;

  /// True if both have the same symbols and products.
  friend bool operator==(const Field& a, const Field& b) {
    if (a.w_ != b.w_ || a.polynomial_ != b.polynomial_) return false;
    return a.basis_ == b.basis_ ||
           (a.basis_ && b.basis_ && a.basis_->elements == b.basis_->elements);
  }

 private:
  struct Tables {  // for w <= 16: log and exp to the base generator(), exp twice over
    std::vector<std::uint32_t> log;
    std::vector<Symbol> exp;
  };
  struct Basis {
    std::vector<Symbol> elements;
    std::vector<Symbol> powers_of_x;
  };
  /// The sum of the elements that `bits` selects.
  static Symbol combined(const std::vector<Symbol>& elements, Symbol bits);
  void make_tables();

  std::size_t w_;
  std::uint64_t polynomial_;
  std::shared_ptr<const Basis> basis_;  ///< null: 1, x, x^2, …
  std::shared_ptr<const Tables> tables_;
};

/// "GF(2^8) of polynomial 0x11d", with the basis if the field has one.
std::string field_text(const Field& field);

/// GF(2), made once.
const Field& gf2();

/// Cost of a multiplication, in multiplications by tables (about a nanosecond each).
inline double multiplication_cost(const Field& field) { return field.w() <= 16 ? 1 : 32; }

/// The default polynomial of w, with its leading term; 0 if w is not 1…16 or 32.
std::uint64_t default_polynomial(std::size_t w);

/// True if a polynomial over GF(2) is irreducible. Shape: its degree is at most 63.
///
/// Source: M. O. Rabin, Probabilistic algorithms in finite fields, SIAM J. Comput. 9(2), 1980.
bool is_irreducible(std::uint64_t polynomial);

}  // namespace xorloom
