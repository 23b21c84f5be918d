#include "runtime/shards/shard_block.hpp"

#include <algorithm>
#include <array>

#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"
#include "runtime/shards/shard_pieces.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kPlaceBytes = SetId::kBytes + 24;

/// Set id, generation, location and block number; the last 8 bytes are for a piece's number.
using Place = std::array<std::uint8_t, kPlaceBytes + 8>;

Place place_of(const ShardHeader& header, std::uint64_t generation, std::uint64_t block) noexcept {
  Place place{};
  std::ranges::copy(header.set.bytes, place.begin());
  put(place.data() + SetId::kBytes, generation);
  put(place.data() + SetId::kBytes + 8, std::uint64_t{header.location});
  put(place.data() + SetId::kBytes + 16, block);
  return place;
}

/// Checksum of a frame. `covered` is the payload, or the checksums of its pieces.
std::uint64_t frame_checksum(const ShardHeader& header, std::uint64_t generation,
                             std::uint64_t block, std::span<const std::uint8_t> covered) noexcept {
  const Place place = place_of(header, generation, block);
  return checksum(std::span(place).first(kPlaceBytes), covered);
}

std::uint64_t piece_checksum(const ShardHeader& header, std::uint64_t generation,
                             std::uint64_t block, std::uint32_t piece,
                             std::span<const std::uint8_t> payload) noexcept {
  Place place = place_of(header, generation, block);
  put(place.data() + kPlaceBytes, std::uint64_t{piece});
  const PieceLayout layout = piece_layout(header.pieces, payload.size());
  return checksum(place, SpacedParts{payload.data() + piece * layout.unit_bytes, layout.unit_bytes,
                                     layout.number * layout.unit_bytes, layout.super_blocks});
}

/// The generation that the checksums of a block with `stamp` cover.
std::uint64_t key_of(const ShardHeader& header, std::uint64_t stamp) noexcept {
  const bool is_recoded = header.lineage && header.lineage->recoded != 0 &&
                          header.location >= header.stripe_bytes / header.block_bytes;
  if (is_recoded) return header.lineage->recoded;
  return stamp_rank(header, stamp) == 0 ? stamp : header.lineage->base;
}

/// The mask that is XORed with a frame's checksum; 0 for stamps up to the base.
std::uint64_t mask_of(const ShardHeader& header, std::uint64_t stamp) noexcept {
  if (stamp_rank(header, stamp) == 0) return 0;
  std::array<std::uint8_t, 8> bytes{};
  put(bytes.data(), stamp);
  return checksum(bytes);
}

/// True if blocks of `generation` belong to the set of `header`.
bool is_of_set(const ShardHeader& header, std::uint64_t generation) noexcept {
  if (!header.is_changed) return generation == header.generation;
  return generation != 0 && generation <= header.generation;
}

BlockState state_of(const ShardHeader& header, std::uint64_t block,
                    std::span<const std::uint8_t> frame,
                    std::span<const std::uint8_t> covered) noexcept {
  const std::uint64_t generation = stamp_of(frame);
  const auto expected = get<std::uint64_t>(frame.data());
  const std::uint64_t sum = frame_checksum(header, key_of(header, generation), block, covered);
  if ((sum ^ mask_of(header, generation)) != expected) return BlockState::kDamaged;
  return is_of_set(header, generation) ? BlockState::kGood : BlockState::kStale;
}

}  // namespace

std::uint64_t stamp_of(std::span<const std::uint8_t> frame) noexcept {
  return get<std::uint64_t>(frame.data() + 8);
}

std::uint64_t stamp_rank(const ShardHeader& header, std::uint64_t stamp) noexcept {
  return header.lineage && stamp > header.lineage->base ? stamp : 0;
}

Frame block_frame(const ShardHeader& header, std::uint64_t block,
                  std::span<const std::uint8_t> payload) {
  return block_frame(header, block, payload, header.generation);
}

Frame block_frame(const ShardHeader& header, std::uint64_t block,
                  std::span<const std::uint8_t> payload, std::uint64_t stamp) {
  const std::uint64_t key = key_of(header, stamp);
  Frame frame(frame_bytes(header));
  std::uint8_t* const sums = frame.data() + kFrameBytes;
  for (std::uint32_t piece = 0; piece < header.pieces.number; ++piece) {
    put(sums + std::size_t{8} * piece, piece_checksum(header, key, block, piece, payload));
  }
  const std::span<const std::uint8_t> covered =
      header.pieces.number == 0 ? payload : std::span(frame).subspan(kFrameBytes);
  put(frame.data(), frame_checksum(header, key, block, covered) ^ mask_of(header, stamp));
  put(frame.data() + 8, stamp);
  return frame;
}

Frame restamped(const ShardHeader& header, Frame frame) noexcept {
  const std::uint64_t masks = mask_of(header, stamp_of(frame)) ^ mask_of(header, header.generation);
  put(frame.data(), get<std::uint64_t>(frame.data()) ^ masks);
  put(frame.data() + 8, header.generation);
  return frame;
}

BlockState check_block(const ShardHeader& header, std::uint64_t block,
                       std::span<const std::uint8_t> frame,
                       std::span<const std::uint8_t> payload) noexcept {
  if (header.pieces.number == 0) return state_of(header, block, frame, payload);
  const BlockState state = check_frame(header, block, frame);
  if (state != BlockState::kGood) return state;
  for (std::uint32_t piece = 0; piece < header.pieces.number; ++piece) {
    if (!is_piece_good(header, block, piece, frame, payload)) return BlockState::kDamaged;
  }
  return BlockState::kGood;
}

BlockState check_frame(const ShardHeader& header, std::uint64_t block,
                       std::span<const std::uint8_t> frame) noexcept {
  return state_of(header, block, frame, frame.subspan(kFrameBytes));
}

bool is_piece_good(const ShardHeader& header, std::uint64_t block, std::uint32_t piece,
                   std::span<const std::uint8_t> frame,
                   std::span<const std::uint8_t> payload) noexcept {
  const auto expected = get<std::uint64_t>(frame.data() + kFrameBytes + std::size_t{8} * piece);
  const std::uint64_t stamp = stamp_of(frame);
  return is_of_set(header, stamp) &&
         piece_checksum(header, key_of(header, stamp), block, piece, payload) == expected;
}

}  // namespace xorloom
