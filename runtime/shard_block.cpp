#include "runtime/shard_block.hpp"

#include <algorithm>

#include "runtime/checksum.hpp"
#include "runtime/little_endian.hpp"

namespace xorloom {
namespace {

std::uint64_t block_checksum(const ShardHeader& header, std::uint64_t generation,
                             std::uint64_t block, std::span<const std::uint8_t> payload) noexcept {
  std::array<std::uint8_t, SetId::kBytes + 24> place{};
  std::ranges::copy(header.set.bytes, place.begin());
  put(place.data() + SetId::kBytes, generation);
  put(place.data() + SetId::kBytes + 8, std::uint64_t{header.location});
  put(place.data() + SetId::kBytes + 16, block);
  return checksum(place, payload);
}

}  // namespace

Frame block_frame(const ShardHeader& header, std::uint64_t block,
                  std::span<const std::uint8_t> payload) noexcept {
  Frame frame{};
  put(frame.data(), block_checksum(header, header.generation, block, payload));
  put(frame.data() + 8, header.generation);
  return frame;
}

BlockState check_block(const ShardHeader& header, std::uint64_t block, const Frame& frame,
                       std::span<const std::uint8_t> payload) noexcept {
  const auto generation = get<std::uint64_t>(frame.data() + 8);
  const auto expected = get<std::uint64_t>(frame.data());
  if (block_checksum(header, generation, block, payload) != expected) return BlockState::kDamaged;
  return generation == header.generation ? BlockState::kGood : BlockState::kStale;
}

}  // namespace xorloom
