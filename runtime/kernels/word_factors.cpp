#include "runtime/kernels/word_factors.hpp"

#include <fmt/format.h>

#include <cstring>

namespace xorloom {
namespace {

constexpr std::size_t kNibbleMapBytes = 32;
constexpr std::size_t kBitMapBytes = 8;

/// The product of a unit: of a symbol, or with w = 4 of two.
template <class Multiply>
std::uint32_t product(std::size_t w, Field::Symbol coefficient, std::uint32_t unit,
                      const Multiply& multiply) {
  if (w != 4) return multiply(coefficient, unit);
  return multiply(coefficient, unit & 0xf) | multiply(coefficient, unit >> 4) << 4;
}

std::uint8_t byte_of(std::uint32_t unit, std::size_t byte) {
  return static_cast<std::uint8_t>(unit >> (8 * byte));
}

/// The matrix of bits whose column j is the given byte.
std::uint8_t row_of(const std::uint8_t (&columns)[8], std::size_t row) {
  unsigned bits = 0;
  for (std::size_t j = 0; j < 8; ++j) bits |= (columns[j] >> row & 1U) << j;
  return static_cast<std::uint8_t>(bits);
}

}  // namespace

std::size_t WordFactors::bytes() const {
  if (form_ == FactorForm::kCoefficient) return sizeof(Field::Symbol);
  const std::size_t maps = unit_bytes() * unit_bytes();
  return maps * (form_ == FactorForm::kNibbles ? kNibbleMapBytes : kBitMapBytes);
}

void WordFactors::write(Field::Symbol coefficient, std::uint8_t* factor) const {
  if (form_ == FactorForm::kCoefficient) {
    std::memcpy(factor, &coefficient, sizeof coefficient);
    return;
  }
  const auto multiply = [&](auto a, auto b) { return field_.multiply(a, b); };
  for (std::size_t in = 0; in < unit_bytes(); ++in) {
    if (form_ == FactorForm::kNibbles) {
      for (std::uint32_t i = 0; i < kNibbleMapBytes; ++i) {
        const std::uint32_t unit = (i < 16 ? i : (i - 16) << 4) << (8 * in);
        const std::uint32_t result = product(field_.w(), coefficient, unit, multiply);
        for (std::size_t out = 0; out < unit_bytes(); ++out) {
          factor[(in * unit_bytes() + out) * kNibbleMapBytes + i] = byte_of(result, out);
        }
      }
      continue;
    }
    std::uint32_t results[8];
    for (std::size_t j = 0; j < 8; ++j) {
      results[j] = product(field_.w(), coefficient, 1U << (8 * in + j), multiply);
    }
    for (std::size_t out = 0; out < unit_bytes(); ++out) {
      std::uint8_t columns[8];
      for (std::size_t j = 0; j < 8; ++j) columns[j] = byte_of(results[j], out);
      for (std::size_t l = 0; l < 8; ++l) {
        factor[(in * unit_bytes() + out) * kBitMapBytes + 7 - l] = row_of(columns, l);
      }
    }
  }
}

std::optional<std::string> WordFactors::find_wrong_entry(const Field& field,
                                                         Field::Symbol coefficient,
                                                         const std::uint8_t* factor) const {
  const auto wrong = [&](std::size_t entry, std::uint32_t has, std::uint32_t expected) {
    return fmt::format("the table of {:#x} has {:#x} at entry {}, not {:#x}", coefficient, has,
                       entry, expected);
  };
  if (form_ == FactorForm::kCoefficient) {
    Field::Symbol has = 0;
    std::memcpy(&has, factor, sizeof has);
    if (has == coefficient) return std::nullopt;
    return wrong(0, has, coefficient);
  }
  const auto multiply = [&](auto a, auto b) { return field.multiply_by_shifts(a, b); };
  const std::size_t entries = form_ == FactorForm::kNibbles ? kNibbleMapBytes : 8;
  for (std::size_t in = 0; in < unit_bytes(); ++in) {
    for (std::uint32_t i = 0; i < entries; ++i) {
      const std::uint32_t byte =
          form_ == FactorForm::kBits ? 1U << i : (i < 16 ? i : (i - 16) << 4);
      const std::uint32_t expected = product(field.w(), coefficient, byte << (8 * in), multiply);
      for (std::size_t out = 0; out < unit_bytes(); ++out) {
        const std::size_t map = in * unit_bytes() + out;
        std::uint8_t has = 0;
        if (form_ == FactorForm::kNibbles) {
          has = factor[map * kNibbleMapBytes + i];
        } else {
          for (std::size_t l = 0; l < 8; ++l) {
            has |= static_cast<std::uint8_t>((factor[map * kBitMapBytes + 7 - l] >> i & 1U) << l);
          }
        }
        if (has != byte_of(expected, out)) {
          return wrong(map * entries + i, has, byte_of(expected, out));
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace xorloom
