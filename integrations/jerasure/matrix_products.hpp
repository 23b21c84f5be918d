#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "xorloom/xorloom.hpp"

namespace xorloom::jerasure {

// Computations of Jerasure's functions: chunks of redundancy from chunks of data, by a matrix that
// the program has made. Chunks of data are locations 0 … k-1; chunks of redundancy follow.

/// A matrix as Jerasure's functions take it: m x k symbols of GF(2^w) on words (packet_bytes = 0),
/// or a bitmatrix of m·w x k·w on packets; row by row.
struct MatrixView {
  std::size_t k;
  std::size_t m;
  std::size_t w;
  std::size_t packet_bytes;
  const int* entries;

  std::size_t size() const { return k * m * (packet_bytes == 0 ? 1 : w * w); }
};

/// Encodes. Answer: whether it did. Else nothing is written, and last_error() says why.
///
/// Errors: a width w that the engine does not have, packets that are no multiple of 8 bytes,
///         entries that are no symbols, chunks that overlap.
/// Cost:   kernels read the matrix as data, so a new matrix costs no more than a known one. Once
///         the calls with a matrix have taken several times as long as machine code takes to be
///         made, the next call makes it.
bool encode(const MatrixView& matrix, const std::uint8_t* const* data,
            std::uint8_t* const* redundancy, std::size_t bytes) noexcept;

/// Rebuilds the lost locations, which ascend, from the others. Answer: as for encode().
///
/// Cost: that of encode(), and inverting the part of the matrix for the lost data. Each thread
///       keeps the last inverse.
bool decode(const MatrixView& matrix, std::span<const std::size_t> lost, std::uint8_t* const* data,
            std::uint8_t* const* redundancy, std::size_t bytes) noexcept;

/// to = factor·from, added to `to` if `adds`. The buffers may be the same. Answer: as for encode().
///
/// Units: w is 8, 16 or 32.
bool multiply_region(std::size_t w, int factor, const std::uint8_t* from, std::uint8_t* to,
                     std::size_t bytes, bool adds) noexcept;

}  // namespace xorloom::jerasure
