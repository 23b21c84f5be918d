#include "runtime/engine/short_block.hpp"

#include <algorithm>
#include <cstring>

namespace xorloom {

ShortBlock::ShortBlock(std::size_t block_bytes, std::size_t chunk_bytes, std::size_t locations,
                       std::span<const std::size_t> used)
    : block_bytes_(block_bytes),
      whole_bytes_(block_bytes == 0 ? chunk_bytes : chunk_bytes / block_bytes * block_bytes),
      rest_bytes_(chunk_bytes - whole_bytes_) {
  if (rest_bytes_ == 0) return;
  memory_.resize(used.size() * block_bytes_);
  blocks_.resize(locations);
  for (std::size_t i = 0; i < used.size(); ++i) {
    blocks_[used[i]] = memory_.data() + i * block_bytes_;
  }
}

void ShortBlock::run(const Computation& computation, std::uint8_t* const* chunks,
                     std::span<const std::size_t> used,
                     std::span<const std::size_t> writes) noexcept {
  if (rest_bytes_ == 0) return;
  const std::size_t half = rest_bytes_ / 2;
  const std::size_t plane = block_bytes_ / 2;
  std::ranges::fill(memory_, std::uint8_t{0});
  for (const std::size_t location : used) {
    const std::uint8_t* const rest = chunks[location] + whole_bytes_;
    std::memcpy(blocks_[location], rest, half);
    std::memcpy(blocks_[location] + plane, rest + half, half);
  }
  computation.run(blocks_.data(), block_bytes_, 0, computation.columns(block_bytes_));
  for (const std::size_t location : writes) {
    std::uint8_t* const rest = chunks[location] + whole_bytes_;
    std::memcpy(rest, blocks_[location], half);
    std::memcpy(rest + half, blocks_[location] + plane, half);
  }
}

}  // namespace xorloom
