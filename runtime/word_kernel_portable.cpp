#include <cstring>

#include "runtime/word_kernel.hpp"

namespace xorloom {
namespace {

/// A unit of a chunk, little-endian.
template <class Unit>
Unit load(const std::uint8_t* from) {
  Unit unit = 0;
  for (std::size_t i = 0; i < sizeof(Unit); ++i) {
    unit = static_cast<Unit>(unit | static_cast<Unit>(Unit{from[i]} << (8 * i)));
  }
  return unit;
}

template <class Unit>
void store(std::uint8_t* to, Unit unit) {
  for (std::size_t i = 0; i < sizeof(Unit); ++i) to[i] = static_cast<std::uint8_t>(unit >> (8 * i));
}

template <class Unit>
void combine(const WordBlock& block) noexcept {
  constexpr std::size_t kNibbles = 2 * sizeof(Unit);
  constexpr std::size_t kTableBytes = kNibbles * 16 * sizeof(Unit);
  constexpr std::size_t kUnits = 256 / sizeof(Unit);
  for (std::size_t done = 0; done < block.bytes;) {
    const std::size_t left = (block.bytes - done) / sizeof(Unit);
    const std::size_t units = left < kUnits ? left : kUnits;
    Unit sum[kUnits] = {};
    for (std::size_t t = 0; t < block.num_terms; ++t) {
      const WordTerm& term = block.terms[t];
      const std::uint8_t* from =
          block.chunks[term.location] + term.subchunk * block.subchunk_bytes + block.column + done;
      if (t < block.num_plain) {
        for (std::size_t i = 0; i < units; ++i) sum[i] ^= load<Unit>(from + i * sizeof(Unit));
        continue;
      }
      Unit table[kNibbles][16];
      std::memcpy(table, block.tables + term.table * kTableBytes, kTableBytes);
      for (std::size_t i = 0; i < units; ++i) {
        const Unit unit = load<Unit>(from + i * sizeof(Unit));
        for (std::size_t n = 0; n < kNibbles; ++n) sum[i] ^= table[n][unit >> (4 * n) & 0xf];
      }
    }
    for (std::size_t i = 0; i < units; ++i) {
      store<Unit>(block.target + done + i * sizeof(Unit), sum[i]);
    }
    done += units * sizeof(Unit);
  }
}

}  // namespace

void combine_bytes_portable(const WordBlock& block) noexcept { combine<std::uint8_t>(block); }
void combine_pairs_portable(const WordBlock& block) noexcept { combine<std::uint16_t>(block); }
void combine_quads_portable(const WordBlock& block) noexcept { combine<std::uint32_t>(block); }

}  // namespace xorloom
