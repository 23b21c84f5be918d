#include "codes/field/byte_maps.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

namespace xorloom {
namespace {

/// The product of a unit: a symbol, or two symbols if w = 4.
template <class Multiply>
std::uint32_t product(std::size_t w, Field::Symbol coefficient, std::uint32_t unit,
                      const Multiply& multiply) {
  if (w != 4) return multiply(coefficient, unit);
  return multiply(coefficient, unit & 0xf) | multiply(coefficient, unit >> 4) << 4;
}

std::uint8_t byte_of(std::uint32_t unit, std::size_t byte) {
  return static_cast<std::uint8_t>(unit >> (8 * byte));
}

/// The products of a coefficient with each bit of byte `byte` of a unit.
std::array<std::uint32_t, 8> products_of_bits(const Field& field, Field::Symbol coefficient,
                                              std::size_t byte) {
  const auto multiply = [&](auto a, auto b) { return field.multiply(a, b); };
  const auto of_bit = [&](std::size_t bit) {
    return product(field.w(), coefficient, 1U << (8 * byte + bit), multiply);
  };
  std::array<std::uint32_t, 8> products;
  products[0] = of_bit(0);
  if (field.w() == 4 || !field.basis().empty()) {
    for (std::size_t bit = 1; bit < products.size(); ++bit) products[bit] = of_bit(bit);
    return products;
  }
  const std::size_t w = field.w();
  const std::uint64_t polynomial = field.polynomial();
  for (std::size_t bit = 1; bit < products.size(); ++bit) {
    const std::uint64_t twice = std::uint64_t{products[bit - 1]} << 1;
    products[bit] = static_cast<std::uint32_t>(twice ^ (twice >> w) * polynomial);
  }
  return products;
}

/// Writes eight bytes, the lowest first.
void write_bytes(std::uint64_t bytes, std::uint8_t* to) {
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  std::memcpy(to, &bytes, sizeof bytes);
}

/// The byte whose product is entry i of a nibble map.
std::uint32_t byte_of_entry(std::uint32_t i) { return i < 16 ? i : (i - 16) << 4; }

/// Transposes an 8 x 8 matrix of bits: from column j in byte j to row l in byte l.
///
/// Source: H. S. Warren, Hacker's Delight, 2nd edition, section 7-3.
std::uint64_t transposed(std::uint64_t bits) {
  const auto exchange = [&](std::uint64_t mask, int distance) {
    const std::uint64_t changed = (bits ^ (bits >> distance)) & mask;
    bits ^= changed ^ (changed << distance);
  };
  exchange(0x00aa00aa00aa00aa, 7);
  exchange(0x0000cccc0000cccc, 14);
  exchange(0x00000000f0f0f0f0, 28);
  return bits;
}

/// Column j of a bit map: the contribution of bit j of a byte.
std::uint8_t column_of(const std::uint8_t* matrix, std::size_t j) {
  unsigned bits = 0;
  for (std::size_t l = 0; l < 8; ++l) bits |= (matrix[7 - l] >> j & 1U) << l;
  return static_cast<std::uint8_t>(bits);
}

/// Compares entries 0 … entries - 1 of each map with products by shifts. byte_of_entry(i) is the
/// byte that entry i is for.
template <class ByteOfEntry, class EntryOf>
std::optional<std::string> find_wrong(const Field& field, Field::Symbol coefficient,
                                      std::uint32_t entries, const ByteOfEntry& byte_of_entry,
                                      const EntryOf& entry_of) {
  const std::size_t bytes = unit_bytes(field);
  const auto multiply = [&](auto a, auto b) { return field.multiply_by_shifts(a, b); };
  for (std::size_t in = 0; in < bytes; ++in) {
    for (std::uint32_t i = 0; i < entries; ++i) {
      const std::uint32_t expected =
          product(field.w(), coefficient, byte_of_entry(i) << (8 * in), multiply);
      for (std::size_t out = 0; out < bytes; ++out) {
        const std::size_t map = in * bytes + out;
        const std::uint8_t has = entry_of(map, i);
        if (has != byte_of(expected, out)) {
          return wrong_entry(coefficient, map * entries + i, has, byte_of(expected, out));
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::string wrong_entry(Field::Symbol coefficient, std::size_t entry, std::uint32_t has,
                        std::uint32_t expected) {
  return fmt::format("the table of {:#x} has {:#x} at entry {}, not {:#x}", coefficient, has, entry,
                     expected);
}

void write_nibble_maps(const Field& field, Field::Symbol coefficient, std::uint8_t* maps) {
  const std::size_t bytes = unit_bytes(field);
  for (std::size_t in = 0; in < bytes; ++in) {
    const std::array<std::uint32_t, 8> results = products_of_bits(field, coefficient, in);
    for (std::size_t out = 0; out < bytes; ++out) {
      for (std::size_t nibble = 0; nibble < 2; ++nibble) {
        const auto result = [&](std::size_t bit) -> std::uint64_t {
          return byte_of(results[4 * nibble + bit], out);
        };
        // Products are linear: each of the 8 entries is a sum of products of bits.
        const std::uint64_t first = result(0) * 0x0100010001000100 ^
                                    result(1) * 0x0101000001010000 ^ result(2) * 0x0101010100000000;
        const std::uint64_t second = first ^ result(3) * 0x0101010101010101;
        std::uint8_t* const map = maps + (in * bytes + out) * kNibbleMapBytes + 16 * nibble;
        write_bytes(first, map);
        write_bytes(second, map + 8);
      }
    }
  }
}

void write_bit_maps(const Field& field, Field::Symbol coefficient, std::uint8_t* maps) {
  const std::size_t bytes = unit_bytes(field);
  for (std::size_t in = 0; in < bytes; ++in) {
    const std::array<std::uint32_t, 8> results = products_of_bits(field, coefficient, in);
    for (std::size_t out = 0; out < bytes; ++out) {
      std::uint64_t columns = 0;
      for (std::size_t j = 0; j < 8; ++j) {
        columns |= std::uint64_t{byte_of(results[j], out)} << (8 * j);
      }
      write_bytes(__builtin_bswap64(transposed(columns)), maps + (in * bytes + out) * kBitMapBytes);
    }
  }
}

std::optional<std::string> find_wrong_nibbles(const Field& field, Field::Symbol coefficient,
                                              const std::uint8_t* maps) {
  return find_wrong(
      field, coefficient, kNibbleMapBytes, byte_of_entry,
      [&](std::size_t map, std::uint32_t i) { return maps[map * kNibbleMapBytes + i]; });
}

std::optional<std::string> find_wrong_bits(const Field& field, Field::Symbol coefficient,
                                           const std::uint8_t* maps) {
  return find_wrong(
      field, coefficient, 8, [](std::uint32_t j) { return 1U << j; },
      [&](std::size_t map, std::uint32_t j) { return column_of(maps + map * kBitMapBytes, j); });
}

}  // namespace xorloom
