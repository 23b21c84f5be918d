#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/shards/shard_header.hpp"

namespace xorloom {

// Where the pieces of a block lie in its payload, if it is checked in pieces:
//
//   unit_bytes = 0   | piece 0      | piece 1      | … | piece P-1    |
//
//   unit_bytes = u   | 0 | 1 | … | P-1 || 0 | 1 | … | P-1 || …    units of u bytes, P to a
//   super-block; a
//                                                                 piece has one of each
//
// A reader wants what a computation reads, and nothing else: sub-chunks where a code lies in words,
// and rows of packets. Those are the pieces.

/// The pieces of a payload. The first kind is the second with one super-block.
struct PieceLayout {
  std::size_t number;        ///< P
  std::size_t unit_bytes;    ///< contiguous bytes of a piece
  std::size_t super_blocks;  ///< units of each piece

  std::size_t piece_bytes() const { return unit_bytes * super_blocks; }
};

/// Shape: pieces.number is not 0, and the payload is cut evenly, as those of a header's blocks are.
PieceLayout piece_layout(const Pieces& pieces, std::uint64_t payload_bytes);

/// Bytes of a payload that follow one another.
struct ByteRange {
  std::size_t offset;
  std::size_t bytes;

  bool operator==(const ByteRange&) const = default;
};

/// Where some pieces lie, in as few ranges as there are, ascending.
///
/// Shape: pieces ascend, each below the layout's number.
std::vector<ByteRange> ranges_of(const PieceLayout& layout, std::span<const std::uint32_t> pieces);

/// The pieces that any of some bytes of a payload lie in, ascending.
std::vector<std::uint32_t> pieces_at(const PieceLayout& layout, std::span<const ByteRange> ranges);

/// 0, 1, …, number - 1.
std::vector<std::uint32_t> all_pieces(const Pieces& pieces);

/// The bytes of a piece go from one payload to another of the same layout.
void copy_piece(const PieceLayout& layout, std::uint32_t piece, std::span<const std::uint8_t> from,
                std::span<std::uint8_t> to) noexcept;

/// Whether two payloads of the same layout have the same bytes in a piece.
bool is_same_piece(const PieceLayout& layout, std::uint32_t piece, std::span<const std::uint8_t> a,
                   std::span<const std::uint8_t> b) noexcept;

}  // namespace xorloom
