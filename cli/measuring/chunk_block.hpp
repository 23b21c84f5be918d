#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "cli/measuring/placed_stripe.hpp"

namespace xorloom::cli {

/// A block of seeded random bytes in which the chunks of one code after another are laid out. So
/// large stripes are filled only once.
class ChunkBlock {
 public:
  /// Reserves room for any stripe of at most `stripe_bytes` in at most `most_locations` chunks.
  ChunkBlock(std::size_t stripe_bytes, std::size_t most_locations)
      : block_(1, stripe_bytes + most_locations * (kPageBytes + kStaggerBytes), Layout::kAligned) {
    std::mt19937_64 random(1);
    const std::span<std::uint8_t> all = block_.chunk(0);
    for (std::size_t i = 0; i + 8 <= all.size(); i += 8) {
      const std::uint64_t word = random();
      std::copy_n(reinterpret_cast<const std::uint8_t*>(&word), 8, &all[i]);
    }
  }

  /// Pointers to staggered chunks, as the library allocates them.
  std::vector<std::uint8_t*> chunks(std::size_t locations, std::size_t chunk_bytes) const {
    const std::size_t pitch = pitch_of(chunk_bytes, Layout::kStaggered);
    std::vector<std::uint8_t*> chunks;
    for (std::size_t i = 0; i < locations; ++i) chunks.push_back(block_.pointers()[0] + i * pitch);
    return chunks;
  }

 private:
  PlacedStripe block_;
};

}  // namespace xorloom::cli
