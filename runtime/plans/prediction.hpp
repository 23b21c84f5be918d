#pragma once

#include <cstddef>

#include "runtime/engine/tile_counts.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {

/// Where a stripe lies while it is coded.
enum class Level { kL1, kL2, kL3, kMemory };

/// "L1", "L2", "L3", "DRAM".
const char* to_string(Level level);

/// The level whose size a stripe of that many bytes fits.
Level level_of(const CacheSizes& caches, std::size_t stripe_bytes);

/// What one core does in a second and in a cycle.
///
/// The defaults are an ordinary core's. Its bandwidths, bytes read and written together, are those
/// of a plain XOR of 10 chunks into 4 on a recent server: 80, 25 and 12 GB/s of data. What a
/// machine really does `xorloom bench` measures; these serve to compare.
struct CoreRates {
  double hertz = 3.5e9;
  double instructions = 4;  ///< these five: a cycle
  double operations = 2;
  double loads = 2;
  double stores = 1;
  double multiplications = 1;
  double l2_bytes = 115e9;  ///< these three: a second
  double l3_bytes = 35e9;
  double memory_bytes = 17e9;
};

/// Seconds a tile takes. In L1 it is the scarcest of what it needs: a roofline. Past L1 it is the
/// root of the sum of the squares of that and of the time that moving its bytes takes.
double predicted_seconds(const TileCounts& tile, Level level, const CoreRates& rates = {});

}  // namespace xorloom
