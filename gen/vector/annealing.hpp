#pragma once

#include <cstdint>
#include <functional>

#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

struct AnnealOptions {
  std::uint64_t seed = 1;
  std::uint64_t iterations = 0;  ///< number of orders to try
  /// Polled now and then. Once it returns true, the best order so far is the result.
  std::function<bool()> stop_requested{};
};

/// Reorders the steps of sums by simulated annealing, and exchanges terms between steps of one sum,
/// so that fewer intermediate values are stored and loaded. Deterministic in seed and iterations.
/// The equations of the result are in order of computation. Its cost is never higher.
///
/// Cost: one StepPrice per iteration.
Program annealed(const SteppedTile& steps, const MachineFacts& machine,
                 const AnnealOptions& options);

}  // namespace xorloom
