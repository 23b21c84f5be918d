#pragma once

#include <cstdint>
#include <functional>

#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

struct AnnealOptions {
  std::uint64_t seed = 1;
  std::uint64_t iterations = 0;  ///< orders that are tried
  /// Asked now and then. Once it is true, the best order so far is the result.
  std::function<bool()> stop_requested{};
};

/// Moves the steps of sums about by simulated annealing, and exchanges what steps of a sum add, so
/// that what is stored and loaded in between becomes less. The same seed and iterations give the
/// same tile. Its equations are in the order they are to be computed in. Its cost is never higher.
///
/// Cost: one StepPrice per iteration.
Program annealed(const SteppedTile& steps, const MachineFacts& machine,
                 const AnnealOptions& options);

}  // namespace xorloom
