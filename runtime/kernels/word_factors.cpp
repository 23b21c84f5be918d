#include "runtime/kernels/word_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "codes/field/byte_maps.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

const WordKernel& word_kernel_of(std::size_t w, Isa isa) {
  constexpr std::array<std::size_t, 4> kWordBits = {4, 8, 16, 32};
  const auto place = std::ranges::find(kWordBits, w);
  if (place == kWordBits.end()) {
    fail(Status::kUnsupported, "w = {}, but words have 4, 8, 16 or 32 bits", w);
  }
  return kernels_of(isa).words->by_width[place - kWordBits.begin()];
}

std::size_t few_bytes_of(std::size_t w, Isa isa) {
  return std::max<std::size_t>(8, vector_bytes(isa)) * w / 8;
}

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

std::optional<std::string> WordFactors::find_wrong_reduction(const Field& field) const {
  const std::uint32_t expected = field.polynomial_of(
      field.multiply_by_shifts(field.symbol_of(1U << (field.w() - 1)), field.symbol_of(2)));
  if (reduction_ == expected) return std::nullopt;
  return fmt::format("x^{} is {:#x}, not {:#x}", field.w(), reduction_, expected);
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
