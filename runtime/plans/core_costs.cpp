#include "runtime/plans/core_costs.hpp"

#include <algorithm>

namespace xorloom {

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
