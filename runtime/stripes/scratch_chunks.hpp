#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Errors: kInvalidArgument if chunk_bytes is not a multiple of stripe_multiple(code).
Status check_chunk_bytes(const Code& code, std::size_t chunk_bytes) noexcept;

/// Divides the chunks of a stripe into pieces, and has memory for pieces of some chunks that stays
/// in the caches.
///
/// If the code works on packets or on words without sub-chunks, bytes of a chunk depend only on the
/// same bytes of other chunks, in steps of chunk_multiple. For other codes a chunk is one piece.
class ScratchChunks {
 public:
  /// Room for a piece of each of `count` chunks, not initialised.
  ///
  /// Shape:  chunk_bytes is a multiple of stripe_multiple(code), and not 0.
  /// Errors: throws std::bad_alloc.
  ScratchChunks(const Code& code, std::size_t count, std::size_t chunk_bytes);

  /// Bytes of all pieces but the last, which may be shorter.
  std::size_t piece_bytes() const noexcept { return piece_bytes_; }

  std::uint8_t* operator[](std::size_t i) const noexcept { return memory_.get() + i * pitch_; }

 private:
  std::size_t piece_bytes_;
  std::size_t pitch_;  ///< bytes from chunk to chunk; their cache sets differ
  std::unique_ptr<std::uint8_t[]> memory_;
};

}  // namespace xorloom
