#include "runtime/plans/prediction.hpp"

#include <algorithm>
#include <cmath>

namespace xorloom {
namespace {

double per(std::size_t count, double rate) { return static_cast<double>(count) / rate; }

double cycles(const TileCounts& tile, const CoreRates& rates) {
  return std::max({per(tile.instructions, rates.instructions),
                   per(tile.operations, rates.operations), per(tile.loads, rates.loads),
                   per(tile.stores, rates.stores),
                   per(tile.multiplications, rates.multiplications)});
}

}  // namespace

const char* to_string(Level level) {
  constexpr std::array kNames = {"L1", "L2", "L3", "DRAM"};
  return kNames[static_cast<std::size_t>(level)];
}

Level level_of(const CacheSizes& caches, std::size_t stripe_bytes) {
  if (stripe_bytes <= caches.l1) return Level::kL1;
  if (stripe_bytes <= caches.l2) return Level::kL2;
  return stripe_bytes <= caches.l3 ? Level::kL3 : Level::kMemory;
}

double predicted_seconds(const TileCounts& tile, Level level, const CoreRates& rates) {
  const double computing = cycles(tile, rates) / rates.hertz;
  if (level == Level::kL1) return computing;
  const std::size_t bytes = (tile.vectors_read + tile.vectors_written) * tile.vector_bytes;
  const double bandwidth = level == Level::kL2   ? rates.l2_bytes
                           : level == Level::kL3 ? rates.l3_bytes
                                                 : rates.memory_bytes;
  // A core computes while bytes move, but each waits for the other at times.
  return std::hypot(computing, per(bytes, bandwidth));
}

InstructionCosts CoreCosts::at(Level level, std::size_t chunks) const {
  InstructionCosts costs{instruction, load, store, multiplication, 0, 0, overlap};
  if (level == Level::kL1) return costs;
  const MovingCosts& from = moving[static_cast<std::size_t>(level) - 1];
  const auto n = static_cast<double>(std::min(chunks, kMostCrowding));
  const double crowded = 1 + n * n * from.crowding;
  costs.byte_read = from.byte_read * crowded;
  costs.byte_written = from.byte_written * crowded;
  return costs;
}

double CoreCosts::call_seconds(std::size_t chunks) const {
  return call + chunk * static_cast<double>(chunks);
}

double seconds_of_call(const CoreCosts& costs, Level level, const TileCounts& counts,
                       std::size_t chunks, double tiles) {
  return costs.call_seconds(chunks) + tiles * seconds_of(costs.at(level, chunks), counts);
}

}  // namespace xorloom
