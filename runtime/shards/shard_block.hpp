#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/shards/shard_header.hpp"

namespace xorloom {

// A block is a frame and a payload. The checksum a frame begins with covers, with set id,
// generation, location and number of the block,
//
//   | checksum | generation | payload |                               the payload, or
//   | checksum | generation | P checksums of pieces | payload |       the checksums of the pieces
//
// and that of a piece these, its own number and its bytes. So once a frame of the second kind is
// read, any piece can be read and checked alone; where pieces lie is in
// runtime/shards/shard_pieces.hpp.
//
// In a set with a lineage, the generation in a frame is a *stamp*: that of the last change of the
// stripe, and the same in all blocks of it. So a block that has an earlier one was left behind by a
// write that was lost. A change gives those blocks that it does not write new frames: checksums go
// by the lineage's base instead of the stamp, and that of the frame is masked with a checksum of
// the stamp. Stamps up to the base are generations of blocks, as in sets without a lineage.

/// frame_bytes(header) of them.
using Frame = std::vector<std::uint8_t>;

/// The frame of a block. Its checksum covers set id, generation, location, number and payload, so
/// that a block in the wrong place is damage.
Frame block_frame(const ShardHeader& header, std::uint64_t block,
                  std::span<const std::uint8_t> payload, std::uint64_t stamp);

/// The same for a block that the change of the header's generation writes.
Frame block_frame(const ShardHeader& header, std::uint64_t block,
                  std::span<const std::uint8_t> payload);

std::uint64_t stamp_of(std::span<const std::uint8_t> frame) noexcept;

/// What stamps of a stripe are compared by: only the highest is right. 0 for all up to the base.
std::uint64_t stamp_rank(const ShardHeader& header, std::uint64_t stamp) noexcept;

/// The frame that a block gets where its stripe changes, and it does not.
///
/// Shape: the header is the one after the change, and the frame's stamp not below its base.
Frame restamped(const ShardHeader& header, Frame frame) noexcept;

enum class BlockState {
  kGood,
  kDamaged,  ///< the checksum does not hold
  kStale,    ///< whole, but of another generation
};

/// What a frame says of the whole payload behind it. Cost: one pass over the payload.
BlockState check_block(const ShardHeader& header, std::uint64_t block,
                       std::span<const std::uint8_t> frame,
                       std::span<const std::uint8_t> payload) noexcept;

/// Of a set whose blocks are checked in pieces, what is known of a block by its frame alone.
BlockState check_frame(const ShardHeader& header, std::uint64_t block,
                       std::span<const std::uint8_t> frame) noexcept;

/// Whether a piece is what a good frame says. Of the payload only the piece is read.
bool is_piece_good(const ShardHeader& header, std::uint64_t block, std::uint32_t piece,
                   std::span<const std::uint8_t> frame,
                   std::span<const std::uint8_t> payload) noexcept;

}  // namespace xorloom
