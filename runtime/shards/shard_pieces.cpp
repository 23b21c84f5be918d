#include "runtime/shards/shard_pieces.hpp"

#include <algorithm>
#include <numeric>

namespace xorloom {
namespace {

/// Offset of the unit that a piece has in a super-block.
std::size_t unit_offset(const PieceLayout& layout, std::size_t super_block, std::size_t piece) {
  return (super_block * layout.number + piece) * layout.unit_bytes;
}

}  // namespace

PieceLayout piece_layout(const Pieces& pieces, std::uint64_t payload_bytes) {
  const std::uint64_t unit =
      pieces.unit_bytes == 0 ? payload_bytes / pieces.number : pieces.unit_bytes;
  return {pieces.number, unit, payload_bytes / (unit * pieces.number)};
}

std::vector<ByteRange> ranges_of(const PieceLayout& layout, std::span<const std::uint32_t> pieces) {
  std::vector<ByteRange> runs;  // in the first super-block
  for (const std::uint32_t piece : pieces) {
    const std::size_t offset = unit_offset(layout, 0, piece);
    if (!runs.empty() && runs.back().offset + runs.back().bytes == offset) {
      runs.back().bytes += layout.unit_bytes;
    } else {
      runs.push_back({offset, layout.unit_bytes});
    }
  }
  std::vector<ByteRange> ranges;
  for (std::size_t s = 0; s < layout.super_blocks; ++s) {
    for (const ByteRange& run : runs) {
      const std::size_t offset = unit_offset(layout, s, 0) + run.offset;
      if (!ranges.empty() && ranges.back().offset + ranges.back().bytes == offset) {
        ranges.back().bytes += run.bytes;
      } else {
        ranges.push_back({offset, run.bytes});
      }
    }
  }
  return ranges;
}

std::vector<std::uint32_t> pieces_at(const PieceLayout& layout, std::span<const ByteRange> ranges) {
  std::vector<bool> is_in(layout.number);
  for (const ByteRange& range : ranges) {
    if (range.bytes == 0) continue;
    const std::size_t first = range.offset / layout.unit_bytes;
    const std::size_t last = (range.offset + range.bytes - 1) / layout.unit_bytes;
    for (std::size_t unit = first; unit <= std::min(last, first + layout.number - 1); ++unit) {
      is_in[unit % layout.number] = true;
    }
  }
  std::vector<std::uint32_t> pieces;
  for (std::size_t piece = 0; piece < layout.number; ++piece) {
    if (is_in[piece]) pieces.push_back(static_cast<std::uint32_t>(piece));
  }
  return pieces;
}

std::vector<std::uint32_t> all_pieces(const Pieces& pieces) {
  std::vector<std::uint32_t> all(pieces.number);
  std::iota(all.begin(), all.end(), std::uint32_t{0});
  return all;
}

void copy_piece(const PieceLayout& layout, std::uint32_t piece, std::span<const std::uint8_t> from,
                std::span<std::uint8_t> to) noexcept {
  for (std::size_t s = 0; s < layout.super_blocks; ++s) {
    const std::size_t offset = unit_offset(layout, s, piece);
    std::copy_n(from.data() + offset, layout.unit_bytes, to.data() + offset);
  }
}

bool is_same_piece(const PieceLayout& layout, std::uint32_t piece, std::span<const std::uint8_t> a,
                   std::span<const std::uint8_t> b) noexcept {
  for (std::size_t s = 0; s < layout.super_blocks; ++s) {
    const std::size_t offset = unit_offset(layout, s, piece);
    if (!std::equal(a.data() + offset, a.data() + offset + layout.unit_bytes, b.data() + offset)) {
      return false;
    }
  }
  return true;
}

}  // namespace xorloom
