#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "codes/code.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Errors: kInvalidArgument if chunk_bytes is not a multiple of stripe_multiple(code).
Status check_chunk_bytes(const Code& code, std::size_t chunk_bytes) noexcept;

/// Pieces that the chunks of a stripe are worked on in, and memory for some of them that stays in
/// the caches.
///
/// Bytes of a chunk depend on the same bytes of other chunks alone, in steps of chunk_multiple, if
/// the code lies in packets or in words without sub-chunks. Other chunks are one piece.
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
  std::size_t pitch_;  ///< from a chunk to the next: these do not compete for the same cache sets
  std::unique_ptr<std::uint8_t[]> memory_;
};

}  // namespace xorloom
