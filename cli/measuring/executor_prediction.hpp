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

/// Inputs of predicted_seconds(). Units: seconds.
struct ExecutorCosts {
  InstructionCosts core;  ///< costs of one core, for chunks in the level of the stripe
  double near_byte_read;  ///< per byte read in L2, for chunks that lie there
  double call;            ///< overhead of a call, without its tiles
  ThreadCosts threads;    ///< costs of spinning threads
  Stores stores;          ///< kind of stores for a stripe of that size
};

/// Costs of `num_threads` threads that share a stripe of `stripe_bytes` in `chunks` chunks, from
/// what was measured on this machine.
ExecutorCosts costs_of(const MachineRates::Of& rates, const ThreadCosts& threads,
                       const CacheSizes& caches, std::size_t stripe_bytes, std::size_t chunks,
                       std::size_t num_threads);

/// Predicted seconds of a call on `columns` columns: the sum of these.
///
///   one thread     its tiles
///   ranges         a thread's share of the tiles, and the start of the threads
///   graph          a thread's share of the blocks, each with all groups, and the start. If there
///                  are too few columns, as for plan
///   plan           the groups and fetched lines of the busiest core, the start, and the delay
///                  until the last core of a chain has its first block
///
/// Shape: the explanation was made for `executor`, which is not kAuto, and for `threads` threads.
double predicted_seconds(const PlanExplanation& explanation, Executor executor, std::size_t threads,
                         std::size_t columns, const ExecutorCosts& costs);

}  // namespace xorloom::cli
