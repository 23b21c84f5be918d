#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/shards/shard_header.hpp"

namespace xorloom {

// Layout of the pieces in a block's payload, if it is checked in pieces:
//
//   unit_bytes = 0   | piece 0      | piece 1      | … | piece P-1    |
//
//   unit_bytes = u   | 0 | 1 | … | P-1 || 0 | 1 | … | P-1 || …
//
// In the second layout the pieces alternate in units of u bytes; P units, one of each piece, are a
// super-block. A piece is what computations read: a sub-chunk if the code works on words, a row if
// it works on packets.

/// Sizes of a payload's pieces. The layout for unit_bytes = 0 is the other one with one
/// super-block.
struct PieceLayout {
  std::size_t number;        ///< P
  std::size_t unit_bytes;    ///< contiguous bytes of a piece
  std::size_t super_blocks;  ///< per payload; equal to the units of each piece

  std::size_t piece_bytes() const { return unit_bytes * super_blocks; }
};

/// Shape: pieces.number is not 0, and the payload is cut evenly, as those of a header's blocks are.
PieceLayout piece_layout(const Pieces& pieces, std::uint64_t payload_bytes);

/// Contiguous bytes of a payload.
struct ByteRange {
  std::size_t offset;
  std::size_t bytes;

  bool operator==(const ByteRange&) const = default;
};

/// The byte ranges of `pieces`, ascending; adjacent ones are merged.
///
/// Shape: `pieces` ascend, each below `layout.number`.
std::vector<ByteRange> ranges_of(const PieceLayout& layout, std::span<const std::uint32_t> pieces);

/// The pieces that overlap any of `ranges`, ascending.
std::vector<std::uint32_t> pieces_at(const PieceLayout& layout, std::span<const ByteRange> ranges);

/// 0, 1, …, number - 1.
std::vector<std::uint32_t> all_pieces(const Pieces& pieces);

/// Copies the bytes of a piece from one payload to another of equal layout.
void copy_piece(const PieceLayout& layout, std::uint32_t piece, std::span<const std::uint8_t> from,
                std::span<std::uint8_t> to) noexcept;

/// True if two payloads of equal layout have equal bytes in a piece.
bool is_same_piece(const PieceLayout& layout, std::uint32_t piece, std::span<const std::uint8_t> a,
                   std::span<const std::uint8_t> b) noexcept;

}  // namespace xorloom
