#pragma once

#include <array>
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

/// Seconds that moving a byte takes between a level of memory and a core.
struct MovingCosts {
  double byte_read = 0;
  double byte_written = 0;
  /// With n chunks side by side, the time of a byte is multiplied by 1 + n² · crowding: the core's
  /// prefetching and the memory serve few streams best.
  double crowding = 0;

  friend bool operator==(const MovingCosts&, const MovingCosts&) = default;
};

/// Largest number of chunks that was measured; larger numbers count as this one.
inline constexpr std::size_t kMostCrowding = 44;

/// Costs of one core of a machine for the calls of a codec, in seconds. Computing costs the same in
/// any level of memory. Moving a byte costs nothing in L1, and more the farther its level is.
struct CoreCosts {
  double instruction = 0;
  double load = 0;
  double store = 0;
  double multiplication = 0;
  std::array<MovingCosts, 3> moving{};  ///< L2, L3, memory
  double call = 0;                      ///< per call, besides its tiles
  double chunk = 0;                     ///< per chunk of a call, besides its tiles
  double overlap = 1;                   ///< see InstructionCosts

  /// Costs of a tile in a call on `chunks` chunks that lie in `level`.
  InstructionCosts at(Level level, std::size_t chunks) const;

  /// Seconds of a call on `chunks` chunks, besides its tiles.
  double call_seconds(std::size_t chunks) const;

  friend bool operator==(const CoreCosts&, const CoreCosts&) = default;
};

/// Predicted seconds of a call that computes `tiles` tiles.
double seconds_of_call(const CoreCosts& costs, Level level, const TileCounts& counts,
                       std::size_t chunks, double tiles);

}  // namespace xorloom
