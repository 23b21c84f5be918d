#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "codes/field/field.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/kernels/word_kernel.hpp"

namespace xorloom {

/// The kernel for words of w bits.
///
/// Errors: throws kUnsupported unless w is 4, 8, 16 or 32.
const WordKernel& word_kernel_of(std::size_t w, Isa isa);

/// Bytes of a turn of few vectors of words of w bits.
std::size_t few_bytes_of(std::size_t w, Isa isa);

/// Factors: coefficients in the form in which a kernel multiplies by them.
///
///     kCoefficient      the symbol as a polynomial, 4 bytes in the machine's order
///     kNibbles, kBits   the maps from byte to byte of codes/field/byte_maps.hpp
class WordFactors {
 public:
  /// Units: w is 4, 8, 16 or 32. Keeps a copy of the field.
  WordFactors(const Field& field, FactorForm form)
      : field_(field),
        form_(form),
        reduction_(static_cast<std::uint32_t>(field.polynomial() ^ field.size())) {}

  const Field& field() const { return field_; }

  /// Bytes of a factor.
  std::size_t bytes() const;

  void write(Field::Symbol coefficient, std::uint8_t* factor) const;

  /// Sets what a kernel has to know of the field.
  void describe_field(WordBlock& block) const {
    const bool has_basis = form_ == FactorForm::kCoefficient && !field_.basis().empty();
    block.reduction = reduction_;
    block.basis = has_basis ? field_.basis().data() : nullptr;
    block.powers_of_x = has_basis ? field_.powers_of_x().data() : nullptr;
  }

  /// Compares the reduction with the product made by shift and add in `field`. nullopt: they agree.
  /// Else a sentence.
  std::optional<std::string> find_wrong_reduction(const Field& field) const;

  /// Compares every entry of `factor` with the product made by shift and add in `field`. nullopt:
  /// all agree. Else a sentence that names the first wrong entry.
  std::optional<std::string> find_wrong_entry(const Field& field, Field::Symbol coefficient,
                                              const std::uint8_t* factor) const;

 private:
  Field field_;
  FactorForm form_;
  std::uint32_t reduction_;  ///< see WordBlock
};

}  // namespace xorloom
