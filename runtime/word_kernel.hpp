#pragma once

#include <cstddef>
#include <cstdint>

namespace xorloom {

// What the multiplying kernels of every instruction set take. Plain data only: the kernels'
// translation units share no code that a linker could merge.

/// A coefficient times an input cell.
struct WordTerm {
  std::uint32_t location;
  std::uint32_t subchunk;
  std::uint32_t table;  ///< number of the coefficient's table; of no meaning where it is 1
};

/// One output cell over `bytes` bytes of its sub-chunk from `column` on: the sum of its terms, of
/// which the first num_plain have the coefficient 1.
///
/// A unit is a symbol, or for w = 4 a byte of two. The table of a coefficient has, for each nibble
/// of a unit, lowest first, 16 units: the product with the unit that is 0 but for that nibble.
///
///     w = 4, 8    2 x 16 units of 1 byte       w = 16    4 x 16 units of 2 bytes
///     w = 32      8 x 16 units of 4 bytes      (units of a table in the machine's byte order)
struct WordBlock {
  const WordTerm* terms;
  std::size_t num_plain;
  std::size_t num_terms;
  const std::uint8_t* tables;
  std::uint8_t* const* chunks;
  std::size_t subchunk_bytes;
  std::size_t column;
  std::size_t bytes;
  std::uint8_t* target;
};

using WordKernel = void (*)(const WordBlock& block) noexcept;

/// Units of 1, 2 and 4 bytes; bytes is a multiple of the unit.
void combine_bytes_portable(const WordBlock& block) noexcept;
void combine_pairs_portable(const WordBlock& block) noexcept;
void combine_quads_portable(const WordBlock& block) noexcept;

/// Units of 1 byte; bytes is a multiple of 64.
void combine_bytes_avx2(const WordBlock& block) noexcept;
void combine_bytes_avx512(const WordBlock& block) noexcept;

}  // namespace xorloom
