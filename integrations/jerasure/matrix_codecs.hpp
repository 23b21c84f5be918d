#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "xorloom/xorloom.hpp"

namespace xorloom::jerasure {

// What Jerasure's functions compute: chunks of redundancy from chunks of data by a matrix that a
// program has made. Chunks of data are locations 0 … k-1, those of redundancy follow.

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

/// The codec of a matrix. The last ones are kept; a thread that stays with a matrix compares its
/// entries and no more.
///
/// Errors: throws Error for what no code can be: w that the engine does not have, packets that are
///         no multiple of 8 bytes, entries that are no symbols.
/// Cost:   the first call with a matrix makes the plan that encodes, in milliseconds.
std::shared_ptr<const Codec> codec_of(const MatrixView& matrix);

/// Encodes. Answer: whether it did. Else nothing is written, and last_error() says why.
bool encode(const MatrixView& matrix, const std::uint8_t* const* data,
            std::uint8_t* const* redundancy, std::size_t bytes) noexcept;

/// Rebuilds the lost locations from the others. Answer: as above.
bool decode(const MatrixView& matrix, std::span<const std::size_t> lost, std::uint8_t* const* data,
            std::uint8_t* const* redundancy, std::size_t bytes) noexcept;

}  // namespace xorloom::jerasure
