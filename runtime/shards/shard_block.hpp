#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/shards/shard_header.hpp"

namespace xorloom {

// A block is a frame and a payload:
//
//   | checksum | generation | payload |
//   | checksum | generation | P checksums of pieces | payload |       if checked in pieces
//
// The frame's checksum covers the set id, generation, location and number of the block, and the
// payload or the checksums of the pieces. A piece's checksum covers set id, generation, location,
// block number, the number of the piece and its bytes. So once a frame with pieces is read, any
// piece can be read and checked alone; runtime/shards/shard_pieces.hpp says where pieces lie.
//
// In a set with a lineage, the generation in a frame is a *stamp*: the generation of the last
// change of the stripe, equal in all its blocks. A block with an earlier stamp was left behind by a
// lost write. A change also gives new frames to the stripe's blocks that it does not write. So that
// this needs no payload, checksums cover the lineage's base instead of the stamp, and the frame's
// checksum is XORed with a checksum of the stamp. Stamps up to the base are generations of blocks,
// as in sets without a lineage.

/// The frame_bytes(header) bytes of a frame.
using Frame = std::vector<std::uint8_t>;

/// The frame of a block that was last changed in generation `stamp`. Its checksum covers set id,
/// generation, location, number and payload, so that a block in the wrong place is damage.
Frame block_frame(const ShardHeader& header, std::uint64_t block,
                  std::span<const std::uint8_t> payload, std::uint64_t stamp);

/// The frame of a block that was last changed in the header's generation.
Frame block_frame(const ShardHeader& header, std::uint64_t block,
                  std::span<const std::uint8_t> payload);

std::uint64_t stamp_of(std::span<const std::uint8_t> frame) noexcept;

/// Orders the stamps of a stripe: only the highest is right. 0 for all stamps up to the base.
std::uint64_t stamp_rank(const ShardHeader& header, std::uint64_t stamp) noexcept;

/// The new frame of a block that stays while its stripe changes.
///
/// Precondition: `header` is the one after the change, and the frame's stamp is not below its base.
Frame restamped(const ShardHeader& header, Frame frame) noexcept;

enum class BlockState {
  kGood,
  kDamaged,  ///< the checksum does not hold
  kStale,    ///< whole, but of another generation
};

/// State of a block by its frame and its whole payload. Cost: one pass over the payload.
BlockState check_block(const ShardHeader& header, std::uint64_t block,
                       std::span<const std::uint8_t> frame,
                       std::span<const std::uint8_t> payload) noexcept;

/// State of a block by its frame alone. Precondition: the set's blocks are checked in pieces.
BlockState check_frame(const ShardHeader& header, std::uint64_t block,
                       std::span<const std::uint8_t> frame) noexcept;

/// True if a piece matches its checksum in a good frame. Of `payload` only the piece is read.
bool is_piece_good(const ShardHeader& header, std::uint64_t block, std::uint32_t piece,
                   std::span<const std::uint8_t> frame,
                   std::span<const std::uint8_t> payload) noexcept;

}  // namespace xorloom
