#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "codes/field/field.hpp"
#include "runtime/kernels/word_kernel.hpp"

namespace xorloom {

/// Factors: coefficients in the form in which a kernel multiplies by them.
///
/// A unit is a symbol, or for w = 4 a byte of two, and has U = 1, 2 or 4 bytes. Multiplying a unit is
/// linear over GF(2): byte o of the product is the sum of what each byte i of the unit gives, so that
/// a factor is U x U maps from byte to byte, i the slower index.
///
///     kCoefficient   the symbol itself, 4 bytes in the machine's order
///     kNibbles       a map is 2 x 16 bytes: what the low nibble gives, what the high nibble gives
///     kBits          a map is 8 bytes, a matrix of bits: bit j of byte 7 - l is what bit j of the
///                    unit's byte gives to bit l, as the instructions of GFNI take it
class WordFactors {
 public:
  /// Units: w is 4, 8, 16 or 32. Keeps a copy of the field.
  WordFactors(const Field& field, FactorForm form) : field_(field), form_(form) {}

  /// Bytes of a factor.
  std::size_t bytes() const;

  void write(Field::Symbol coefficient, std::uint8_t* factor) const;

  /// Compares every entry of a factor with the product made by shift and add in a field. The answer
  /// is none if all agree, else a sentence that names the first that does not.
  std::optional<std::string> find_wrong_entry(const Field& field, Field::Symbol coefficient,
                                              const std::uint8_t* factor) const;

 private:
  std::size_t unit_bytes() const { return field_.w() == 4 ? 1 : field_.w() / 8; }

  Field field_;
  FactorForm form_;
};

}  // namespace xorloom
