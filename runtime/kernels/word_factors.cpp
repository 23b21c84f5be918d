#include "runtime/kernels/word_factors.hpp"

#include <cstring>

#include "codes/field/byte_maps.hpp"

namespace xorloom {

std::size_t WordFactors::bytes() const {
  if (form_ == FactorForm::kCoefficient) return sizeof(Field::Symbol);
  const std::size_t maps = unit_bytes(field_) * unit_bytes(field_);
  return maps * (form_ == FactorForm::kNibbles ? kNibbleMapBytes : kBitMapBytes);
}

void WordFactors::write(Field::Symbol coefficient, std::uint8_t* factor) const {
  switch (form_) {
    case FactorForm::kCoefficient: {
      const Field::Symbol polynomial = field_.polynomial_of(coefficient);
      std::memcpy(factor, &polynomial, sizeof polynomial);
      return;
    }
    case FactorForm::kNibbles:
      return write_nibble_maps(field_, coefficient, factor);
    case FactorForm::kBits:
      return write_bit_maps(field_, coefficient, factor);
  }
}

std::optional<std::string> WordFactors::find_wrong_entry(const Field& field,
                                                         Field::Symbol coefficient,
                                                         const std::uint8_t* factor) const {
  if (form_ == FactorForm::kNibbles) return find_wrong_nibbles(field, coefficient, factor);
  if (form_ == FactorForm::kBits) return find_wrong_bits(field, coefficient, factor);
  Field::Symbol has = 0;
  std::memcpy(&has, factor, sizeof has);
  const Field::Symbol expected = field.polynomial_of(coefficient);
  if (has == expected) return std::nullopt;
  return wrong_entry(coefficient, 0, has, expected);
}

}  // namespace xorloom
