#pragma once

#include <cstddef>

#include "cli/measuring/machine_rates.hpp"
#include "cli/measuring/thread_costs.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/machine/stores.hpp"
#include "runtime/plans/plan_explanation.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {

/// What a prediction of executors rests on. Units: seconds.
struct ExecutorCosts {
  InstructionCosts core;  ///< of one core, with chunks where a stripe of that size lies
  double near_byte_read;  ///< of chunks in L2, if they lie no nearer
  double call;            ///< of a call beside its tiles
  ThreadCosts threads;    ///< that stay awake
  Stores stores;          ///< of such a stripe
};

/// Of threads that share a stripe of that many bytes in that many chunks, from what was measured of
/// this machine.
ExecutorCosts costs_of(const MachineRates::Of& rates, const ThreadCosts& threads,
                       const CacheSizes& caches, std::size_t stripe_bytes, std::size_t chunks,
                       std::size_t num_threads);

/// Seconds of a call that computes that many columns.
///
///   one thread     the tiles
///   ranges         a thread's share of the tiles, and starting the others
///   graph          a thread's share of the blocks, each with all groups, and starting
///   plan           what the core with most to do takes for its groups and for what is handed over;
///                  starting; and the blocks that pass until the last core has its first. So does
///                  graph, where there are too few columns
///
/// Shape: the explanation was made for the executor, which is not kAuto, and for that many threads.
double predicted_seconds(const PlanExplanation& explanation, Executor executor, std::size_t threads,
                         std::size_t columns, const ExecutorCosts& costs);

}  // namespace xorloom::cli
