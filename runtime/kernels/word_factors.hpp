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
///     kCoefficient      the symbol as a polynomial, 4 bytes in the machine's order
///     kNibbles, kBits   the maps from byte to byte of codes/field/byte_maps.hpp
class WordFactors {
 public:
  /// Units: w is 4, 8, 16 or 32. Keeps a copy of the field.
  WordFactors(const Field& field, FactorForm form) : field_(field), form_(form) {}

  const Field& field() const { return field_; }
  FactorForm form() const { return form_; }

  /// Bytes of a factor.
  std::size_t bytes() const;

  void write(Field::Symbol coefficient, std::uint8_t* factor) const;

  /// Compares every entry of `factor` with the product made by shift and add in `field`. nullopt:
  /// all agree. Else a sentence that names the first wrong entry.
  std::optional<std::string> find_wrong_entry(const Field& field, Field::Symbol coefficient,
                                              const std::uint8_t* factor) const;

 private:
  Field field_;
  FactorForm form_;
};

}  // namespace xorloom
