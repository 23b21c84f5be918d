#pragma once

#include <cstddef>

#include "runtime/engine/tile_counts.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {

/// Level of memory that holds a stripe while it is coded.
enum class Level { kL1, kL2, kL3, kMemory };

/// "L1", "L2", "L3", "DRAM".
const char* to_string(Level level);

/// The smallest level that holds a stripe of `stripe_bytes`.
Level level_of(const CacheSizes& caches, std::size_t stripe_bytes);

/// Rates of one core: per cycle and per second.
///
/// The defaults are an ordinary core's. Its bandwidths, bytes read and written together, are those
/// of a plain XOR of 10 chunks into 4 on a recent server: 80, 25 and 12 GB/s of data. They serve to
/// compare; `xorloom bench` measures a real machine.
struct CoreRates {
  double hertz = 3.5e9;
  double instructions = 4;  ///< per cycle, as the next four
  double operations = 2;
  double loads = 2;
  double stores = 1;
  double multiplications = 1;
  double l2_bytes = 115e9;  ///< per second, as the next two
  double l3_bytes = 35e9;
  double memory_bytes = 17e9;
};

/// Predicted seconds of a tile. In L1, the time of the scarcest resource: a roofline. Past L1, the
/// root of the sum of the squares of that time and of the time that moving its bytes takes.
double predicted_seconds(const TileCounts& tile, Level level, const CoreRates& rates = {});

}  // namespace xorloom
