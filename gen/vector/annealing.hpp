#pragma once

#include <cstdint>
#include <functional>

#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// Moves the steps of sums about by simulated annealing, and exchanges what steps of a sum add, so
/// that what is stored and loaded in between becomes less. `iterations` orders are tried; once
/// `stop_requested` is true, the best so far is the result. The same seed and iterations give the
/// same tile. Its equations are in the order they are to be computed in. Its cost is never higher.
///
/// Cost: one StepPrice per iteration.
Program annealed(const SteppedTile& steps, const MachineFacts& machine, std::uint64_t iterations,
                 std::uint64_t seed = 1, const std::function<bool()>& stop_requested = {});

}  // namespace xorloom
