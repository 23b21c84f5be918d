#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/shard_header.hpp"

namespace xorloom {

using Frame = std::array<std::uint8_t, kFrameBytes>;

/// The frame of a block. Its checksum covers set id, generation, location, number and payload, so
/// that a block in the wrong place is damage.
Frame block_frame(const ShardHeader& header, std::uint64_t block,
                  std::span<const std::uint8_t> payload) noexcept;

enum class BlockState {
  kGood,
  kDamaged,  ///< the checksum does not hold
  kStale,    ///< whole, but of another generation
};

/// What a frame says of the payload behind it. Cost: one pass over the payload.
BlockState check_block(const ShardHeader& header, std::uint64_t block, const Frame& frame,
                       std::span<const std::uint8_t> payload) noexcept;

}  // namespace xorloom
