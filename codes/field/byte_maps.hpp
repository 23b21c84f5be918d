#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "codes/field/field.hpp"

namespace xorloom {

// Multiplication by a symbol as maps from byte to byte, as vector instructions do it.
//
// A unit is a symbol, or for w = 4 a byte of two symbols, and has U = 1, 2 or 4 bytes. Multiplying
// a unit is linear over GF(2): byte `out` of the product is the sum of the contributions of each
// byte `in` of the unit. So a coefficient has U x U maps, with `in` as the slower index. A map has
// one of two forms:
//
//     nibbles   2 x 16 bytes: tables of the contributions of the low nibble and of the high nibble
//     bits      8 bytes, a matrix of bits: bit j of byte 7 - l is set if bit j of the unit's byte
//               contributes to bit l, as the instructions of GFNI take it
//
// Units: w is 4, 8, 16 or 32.

inline constexpr std::size_t kNibbleMapBytes = 32;
inline constexpr std::size_t kBitMapBytes = 8;

/// U: bytes of a unit.
inline std::size_t unit_bytes(const Field& field) { return field.w() == 4 ? 1 : field.w() / 8; }

/// Writes the U x U maps of a coefficient.
void write_nibble_maps(const Field& field, Field::Symbol coefficient, std::uint8_t* maps);
void write_bit_maps(const Field& field, Field::Symbol coefficient, std::uint8_t* maps);

/// Compares every entry of the maps of a coefficient with the product by shift and add. Returns
/// nullopt if all agree, else a message with the first wrong entry.
std::optional<std::string> find_wrong_nibbles(const Field& field, Field::Symbol coefficient,
                                              const std::uint8_t* maps);
std::optional<std::string> find_wrong_bits(const Field& field, Field::Symbol coefficient,
                                           const std::uint8_t* maps);

/// The message about a wrong entry.
std::string wrong_entry(Field::Symbol coefficient, std::size_t entry, std::uint32_t has,
                        std::uint32_t expected);

}  // namespace xorloom
