#include "codes/field/byte_maps.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace xorloom {
namespace {

/// Applies a map of nibbles to a byte.
std::uint8_t by_nibbles(const std::uint8_t* map, std::uint8_t byte) {
  return map[byte & 0xf] ^ map[16 + (byte >> 4)];
}

/// Applies a matrix of bits to a byte, as gf2p8affineqb is defined: bit l is the parity of byte 7 -
/// l of the matrix AND the byte.
std::uint8_t by_bits(const std::uint8_t* map, std::uint8_t byte) {
  unsigned result = 0;
  for (unsigned l = 0; l < 8; ++l) {
    unsigned bits = map[7 - l] & byte;
    bits ^= bits >> 4;
    bits ^= bits >> 2;
    bits ^= bits >> 1;
    result |= (bits & 1U) << l;
  }
  return static_cast<std::uint8_t>(result);
}

}  // namespace

TEST_CASE("Maps of nibbles and of bits multiply units") {
  std::mt19937 random(1);
  for (const std::size_t w : std::vector<std::size_t>{4, 8, 16, 32}) {
    CAPTURE(w);
    const Field field(w);
    const std::size_t bytes = unit_bytes(field);
    for (int i = 0; i < 100; ++i) {
      const auto coefficient = static_cast<Field::Symbol>(random() & (field.size() - 1));
      const auto unit =
          static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << 8 * bytes) - 1));
      std::vector<std::uint8_t> nibbles(bytes * bytes * kNibbleMapBytes);
      std::vector<std::uint8_t> bits(bytes * bytes * kBitMapBytes);
      write_nibble_maps(field, coefficient, nibbles.data());
      write_bit_maps(field, coefficient, bits.data());
      std::uint32_t of_nibbles = 0;
      std::uint32_t of_bits = 0;
      for (std::size_t in = 0; in < bytes; ++in) {
        const auto byte = static_cast<std::uint8_t>(unit >> 8 * in);
        for (std::size_t out = 0; out < bytes; ++out) {
          const std::size_t map = in * bytes + out;
          of_nibbles ^= std::uint32_t{by_nibbles(&nibbles[map * kNibbleMapBytes], byte)} << 8 * out;
          of_bits ^= std::uint32_t{by_bits(&bits[map * kBitMapBytes], byte)} << 8 * out;
        }
      }
      const std::uint32_t expected = w == 4 ? field.multiply(coefficient, unit & 0xf) |
                                                  field.multiply(coefficient, unit >> 4) << 4
                                            : field.multiply(coefficient, unit);
      CHECK(of_nibbles == expected);
      CHECK(of_bits == expected);
      CHECK_FALSE(find_wrong_nibbles(field, coefficient, nibbles.data()));
      CHECK_FALSE(find_wrong_bits(field, coefficient, bits.data()));
    }
  }
}

TEST_CASE("A wrong entry of a map is named") {
  const Field field(8);
  std::vector<std::uint8_t> nibbles(kNibbleMapBytes);
  std::vector<std::uint8_t> bits(kBitMapBytes);
  write_nibble_maps(field, 2, nibbles.data());
  write_bit_maps(field, 2, bits.data());
  nibbles[17] ^= 1;
  CHECK(find_wrong_nibbles(field, 2, nibbles.data()) ==
        "the table of 0x2 has 0x21 at entry 17, not 0x20");
  bits[7] ^= 4;
  CHECK(find_wrong_bits(field, 2, bits.data()) == "the table of 0x2 has 0x9 at entry 2, not 0x8");
}

}  // namespace xorloom
