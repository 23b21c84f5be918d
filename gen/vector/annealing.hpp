#pragma once

#include <cstdint>
#include <functional>

#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// Orders the steps of a tile by simulated annealing: moves steps and exchanges terms between steps
/// of one sum, so that fewer values are stored and loaded in between. Returns the cheapest tile of
/// `iterations` trials, or of those made before `stop_requested` returned true. It never costs more
/// than `steps`. Its equations are in order of computation. The result is deterministic in the seed
/// and the number of trials.
///
/// Cost: one StepPrice per iteration.
Program annealed(const SteppedTile& steps, const MachineFacts& machine, std::uint64_t iterations,
                 std::uint64_t seed = 1, const std::function<bool()>& stop_requested = {});

}  // namespace xorloom
