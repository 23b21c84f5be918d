#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/field/field.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

// Ways to multiply one symbol by another in small fields, as the literature names them: references
// to test and to measure. What runs on user bytes is elsewhere: Field here, the word kernels in
// runtime.
//
// Units:  w = 1…8; symbols are below 2^w.
// Errors: constructors throw kInvalidArgument for wider fields.
// Source: S. Yuan, Accelerate Reed-Solomon Codes on GPUs, slides, 2014: multiplication over GF(2^w)
//         and three improvements of its log and exp tables; the last way is L. Lin's,
//         Matrix-Parallel Framework for Reed-Solomon Codes, section 5.1. If a listing gives
//         wrong products its docstring says what is done instead.

namespace multiplication {

inline std::size_t small_width(const Field& field) {
  if (field.w() > 8) {
    fail(Status::kInvalidArgument, "w = {} exceeds 8, the bits of a byte", field.w());
  }
  return field.w();
}

inline std::size_t order_of(const Field& field) {
  return (std::size_t{1} << small_width(field)) - 1;
}

/// The first `count` powers of the field's generator; they repeat after 2^w - 1.
inline std::vector<std::uint8_t> powers(const Field& field, std::size_t count) {
  std::vector<std::uint8_t> result;
  Field::Symbol power = 1;
  while (result.size() < count) {
    result.push_back(static_cast<std::uint8_t>(power));
    power = field.multiply_by_shifts(power, field.generator());
  }
  return result;
}

/// The logarithms that belong to powers(), and what stands for that of 0.
template <class Logarithm>
std::vector<Logarithm> logarithms(const Field& field, Logarithm of_zero) {
  const std::vector<std::uint8_t> exp = powers(field, order_of(field));
  std::vector<Logarithm> log(exp.size() + 1, of_zero);
  for (std::size_t i = 0; i < exp.size(); ++i) log[exp[i]] = static_cast<Logarithm>(i);
  return log;
}

/// The products of rows times a step with all symbols.
inline std::vector<std::uint8_t> products(const Field& field, std::size_t rows,
                                          Field::Symbol step) {
  const auto size = static_cast<Field::Symbol>(order_of(field) + 1);
  std::vector<std::uint8_t> result;
  for (std::size_t row = 0; row < rows; ++row) {
    for (Field::Symbol b = 0; b < size; ++b) {
      const auto a = static_cast<Field::Symbol>(row) * step;
      result.push_back(static_cast<std::uint8_t>(field.multiply_by_shifts(a, b)));
    }
  }
  return result;
}

}  // namespace multiplication

/// The Russian peasant's way: at most w doublings. Reduces by the bit that was shifted out; the
/// slides' listing tests the highest bit after the shift. Symbols have to be polynomials: the
/// constructor throws kInvalidArgument for a field that has another basis.
class ShiftAndAdd {
 public:
  explicit ShiftAndAdd(const Field& field)
      : size_(1U << multiplication::small_width(field)),
        polynomial_(static_cast<unsigned>(field.polynomial())) {
    if (field.basis().empty()) return;
    fail(Status::kInvalidArgument, "shift and add takes symbols that are polynomials, not {}",
         field_text(field));
  }
  std::uint8_t multiply(std::uint8_t a, std::uint8_t b) const {
    unsigned result = 0;
    unsigned doubled = a;
    for (unsigned bits = b; bits != 0; bits >>= 1) {
      if ((bits & 1U) != 0) result ^= doubled;
      doubled <<= 1;
      if ((doubled & size_) != 0) doubled ^= polynomial_;
    }
    return static_cast<std::uint8_t>(result);
  }

 private:
  unsigned size_;
  unsigned polynomial_;
};

/// One look-up in 2^w x 2^w products.
class FullTable {
 public:
  explicit FullTable(const Field& field)
      : w_(multiplication::small_width(field)),
        table_(multiplication::products(field, std::size_t{1} << w_, 1)) {}
  std::uint8_t multiply(std::uint8_t a, std::uint8_t b) const {
    return table_[std::size_t{a} << w_ | b];
  }

 private:
  std::size_t w_;
  std::vector<std::uint8_t> table_;
};

/// Two look-ups: the left table has the products of the high half of a's bits, the right one those
/// of the low half. The slides' listing reads the left table twice.
class LeftRightTables {
 public:
  explicit LeftRightTables(const Field& field)
      : w_(multiplication::small_width(field)),
        half_(w_ / 2),
        left_(multiplication::products(field, std::size_t{1} << (w_ - half_),
                                       Field::Symbol{1} << half_)),
        right_(multiplication::products(field, std::size_t{1} << half_, 1)) {}
  std::uint8_t multiply(std::uint8_t a, std::uint8_t b) const {
    const std::size_t low = a & ((1U << half_) - 1);
    return left_[std::size_t{a} >> half_ << w_ | b] ^ right_[low << w_ | b];
  }

 private:
  std::size_t w_;
  std::size_t half_;
  std::vector<std::uint8_t> left_;
  std::vector<std::uint8_t> right_;
};

/// exp[(log a + log b) mod (2^w - 1)], with a branch for 0.
class LogExp {
 public:
  explicit LogExp(const Field& field)
      : order_(static_cast<unsigned>(multiplication::order_of(field))),
        log_(multiplication::logarithms<std::uint8_t>(field, 0)),
        exp_(multiplication::powers(field, order_)) {}
  std::uint8_t multiply(std::uint8_t a, std::uint8_t b) const {
    if (a == 0 || b == 0) return 0;
    return exp_[(unsigned{log_[a]} + log_[b]) % order_];
  }

 private:
  unsigned order_;
  std::vector<std::uint8_t> log_;
  std::vector<std::uint8_t> exp_;
};

/// Improvement I: the remainder by 2^w - 1 as the low bits plus the carry, of which 2^w - 1 is left
/// to mean 0, so exp has one entry more, which is 1.
class LogExpCarry {
 public:
  explicit LogExpCarry(const Field& field)
      : w_(multiplication::small_width(field)),
        mask_((1U << w_) - 1),
        log_(multiplication::logarithms<std::uint8_t>(field, 0)),
        exp_(multiplication::powers(field, multiplication::order_of(field) + 1)) {}
  std::uint8_t multiply(std::uint8_t a, std::uint8_t b) const {
    if (a == 0 || b == 0) return 0;
    const unsigned sum = unsigned{log_[a]} + log_[b];
    return exp_[(sum & mask_) + (sum >> w_)];
  }

 private:
  std::size_t w_;
  unsigned mask_;
  std::vector<std::uint8_t> log_;
  std::vector<std::uint8_t> exp_;
};

/// Improvement II: no remainder, for exp repeats: 2 (2^w - 2) + 1 entries, 509 for w = 8.
class LogExpRepeated {
 public:
  explicit LogExpRepeated(const Field& field)
      : log_(multiplication::logarithms<std::uint8_t>(field, 0)),
        exp_(multiplication::powers(field, 2 * multiplication::order_of(field) - 1)) {}
  std::uint8_t multiply(std::uint8_t a, std::uint8_t b) const {
    if (a == 0 || b == 0) return 0;
    return exp_[std::size_t{log_[a]} + log_[b]];
  }

 private:
  std::vector<std::uint8_t> log_;
  std::vector<std::uint8_t> exp_;
};

/// Improvement III: no branch either, for log 0 is so large that exp is 0 from there on: 2 (2^w -
/// 1), which makes 4 (2^w - 1) + 1 entries, the 1021 of the slides' listing for w = 8.
class LogExpUnbranched {
 public:
  explicit LogExpUnbranched(const Field& field)
      : log_(multiplication::logarithms(
            field, static_cast<std::uint16_t>(2 * multiplication::order_of(field)))),
        exp_(multiplication::powers(field, 2 * multiplication::order_of(field))) {
    exp_.resize(4 * multiplication::order_of(field) + 1);
  }
  std::uint8_t multiply(std::uint8_t a, std::uint8_t b) const {
    return exp_[std::size_t{log_[a]} + log_[b]];
  }

 private:
  std::vector<std::uint16_t> log_;
  std::vector<std::uint8_t> exp_;
};

/// Lin's form: one look-up in a table of 2 (2^w - 1) entries (510 for w = 8), masked to 0 if a or b
/// is 0. The table has to be that of exp (the paper says log); the paper leaves out operands of 0.
class LogExpMasked {
 public:
  explicit LogExpMasked(const Field& field)
      : log_(multiplication::logarithms<std::uint8_t>(field, 0)),
        exp_(multiplication::powers(field, 2 * multiplication::order_of(field))) {}
  std::uint8_t multiply(std::uint8_t a, std::uint8_t b) const {
    const unsigned nonzero = static_cast<unsigned>(a != 0) & static_cast<unsigned>(b != 0);
    return static_cast<std::uint8_t>(exp_[std::size_t{log_[a]} + log_[b]] & (0U - nonzero));
  }

 private:
  std::vector<std::uint8_t> log_;
  std::vector<std::uint8_t> exp_;
};

}  // namespace xorloom
