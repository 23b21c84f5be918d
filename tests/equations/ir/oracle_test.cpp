#include "equations/ir/oracle.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "codes/families/families.hpp"

namespace xorloom {
namespace {

struct Stripe {
  std::vector<std::vector<std::uint8_t>> chunks;
  std::vector<std::uint8_t*> pointers;
  Stripe(std::size_t locations, std::size_t bytes, std::uint64_t seed) : chunks(locations) {
    std::mt19937_64 random(seed);
    for (auto& chunk : chunks) {
      chunk.resize(bytes);
      for (auto& byte : chunk) byte = static_cast<std::uint8_t>(random());
      pointers.push_back(chunk.data());
    }
  }
};

}  // namespace

TEST_CASE("packets: a hand-made parity of two super-blocks comes out") {
  // Two locations of two rows, one redundant: packets of 8 bytes, rows swapped in the second input.
  BitMatrix matrix(2, 4);
  for (const auto& [row, column] : {std::pair{0, 0}, {0, 3}, {1, 1}, {1, 2}}) {
    matrix.flip(static_cast<std::size_t>(row), static_cast<std::size_t>(column));
  }
  Stripe stripe(3, 32, 1);
  oracle_packets(matrix, std::array<Element, 4>{0, 1, 2, 3}, std::array<Element, 2>{4, 5}, 2, 8,
                 stripe.pointers.data(), 32);
  for (std::size_t i = 0; i < 32; ++i) {
    const std::size_t other = i % 16 < 8 ? i + 8 : i - 8;
    REQUIRE(stripe.chunks[2][i] == (stripe.chunks[0][i] ^ stripe.chunks[1][other]));
  }
}

TEST_CASE("words: symbols of 4 bits low nibble first, 16 and 32 bits little-endian") {
  const auto encode = [](const char* spec, std::vector<std::uint8_t> first,
                         std::vector<std::uint8_t> second) {
    const Code code = make_code(spec);
    std::vector<std::uint8_t> p(first.size());
    std::vector<std::uint8_t> q(first.size());
    const std::array<std::uint8_t*, 4> chunks{first.data(), second.data(), p.data(), q.data()};
    oracle_words(code, encoding_map(code), chunks.data(), first.size());
    return q;
  };
  // isa-vandermonde: q = first + 2·second.
  CHECK(encode("isa-vandermonde:k=2,m=2", {1}, {0x80}) == std::vector<std::uint8_t>{1 ^ 0x1d});
  // rs, k = 2, m = 2: q = first + P·second; the last row's factor is (2 + 1)/2.
  for (const std::size_t w : {4UL, 16UL, 32UL}) {
    const Field field(w);
    const Field::Symbol factor = field.divide(3, 2);
    const std::string spec = "rs:k=2,m=2,w=" + std::to_string(w);
    std::vector<std::uint8_t> second(w == 4 ? 1 : w / 8);
    second.back() = 0x80;
    const Field::Symbol symbol = w == 4 ? 8 : Field::Symbol{0x80} << (w - 8);
    const Field::Symbol product = field.multiply(factor, symbol);
    std::vector<std::uint8_t> expected(second.size());
    if (w == 4) {
      expected[0] = static_cast<std::uint8_t>(product << 4);
    } else {
      for (std::size_t i = 0; i < w / 8; ++i)
        expected[i] = static_cast<std::uint8_t>(product >> 8 * i);
    }
    CHECK(encode(spec.c_str(), std::vector<std::uint8_t>(second.size()), second) == expected);
  }
}

TEST_CASE("words and packets of one matrix agree bit by bit") {
  // Bit l of byte b of the word code is bit b of packet l of the packet code.
  const Code words = make_code("rs:k=3,m=2");
  const Code packets = make_code("rs:k=3,m=2,arrangement=packet,packet_bytes=8");
  Stripe as_words(5, 64, 9);
  Stripe as_packets(5, 64, 9);
  const auto bit = [](const Stripe& s, std::size_t chunk, std::size_t byte, std::size_t index) {
    return s.chunks[chunk][byte] >> index & 1;
  };
  for (std::size_t chunk = 0; chunk < 3; ++chunk) {
    for (std::size_t column = 0; column < 64; ++column) {
      for (std::size_t l = 0; l < 8; ++l) {
        auto& byte = as_packets.chunks[chunk][l * 8 + column / 8];
        const auto mask = static_cast<std::uint8_t>(1U << column % 8);
        byte = static_cast<std::uint8_t>(bit(as_words, chunk, column, l) != 0 ? byte | mask
                                                                              : byte & ~mask);
      }
    }
  }
  oracle(words, encoding_map(words), as_words.pointers.data(), 64);
  oracle(packets, encoding_map(packets), as_packets.pointers.data(), 64);
  for (std::size_t chunk = 3; chunk < 5; ++chunk) {
    for (std::size_t column = 0; column < 64; ++column) {
      for (std::size_t l = 0; l < 8; ++l) {
        REQUIRE(bit(as_words, chunk, column, l) ==
                bit(as_packets, chunk, l * 8 + column / 8, column % 8));
      }
    }
  }
}

}  // namespace xorloom
