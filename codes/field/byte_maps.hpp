#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "codes/field/field.hpp"

namespace xorloom {

// Multiplication by a symbol as maps from byte to byte, the form in which vectors do it.
//
// A unit is a symbol, or for w = 4 a byte of two, and has U = 1, 2 or 4 bytes. Multiplying a unit
// is linear over GF(2): byte `out` of the product is the sum of what each byte `in` of the unit
// gives. So a coefficient is U x U maps, `in` the slower index. A map has one of two forms:
//
//     nibbles   2 x 16 bytes: what the low nibble gives, what the high nibble gives
//     bits      8 bytes, a matrix of bits: bit j of byte 7 - l is what bit j of the unit's byte
//               gives to bit l, as the instructions of GFNI take it
//
// Units: w is 4, 8, 16 or 32.

inline constexpr std::size_t kNibbleMapBytes = 32;
inline constexpr std::size_t kBitMapBytes = 8;

/// U, the bytes of a unit.
inline std::size_t unit_bytes(const Field& field) { return field.w() == 4 ? 1 : field.w() / 8; }

/// Writes the U x U maps of a coefficient.
void write_nibble_maps(const Field& field, Field::Symbol coefficient, std::uint8_t* maps);
void write_bit_maps(const Field& field, Field::Symbol coefficient, std::uint8_t* maps);

/// Compares every entry of the maps of a coefficient with the product made by shift and add. The
/// answer is none if all agree, else a sentence that names the first that does not.
std::optional<std::string> find_wrong_nibbles(const Field& field, Field::Symbol coefficient,
                                              const std::uint8_t* maps);
std::optional<std::string> find_wrong_bits(const Field& field, Field::Symbol coefficient,
                                           const std::uint8_t* maps);

/// The sentence of an entry that should be another.
std::string wrong_entry(Field::Symbol coefficient, std::size_t entry, std::uint32_t has,
                        std::uint32_t expected);

}  // namespace xorloom
