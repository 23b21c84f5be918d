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

/// frame_bytes(header) of them.
using Frame = std::vector<std::uint8_t>;

/// The frame of a block. Its checksum covers set id, generation, location, number and payload, so
/// that a block in the wrong place is damage.
Frame block_frame(const ShardHeader& header, std::uint64_t block,
                  std::span<const std::uint8_t> payload);

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
