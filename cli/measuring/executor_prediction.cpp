#include "cli/measuring/executor_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/executor.hpp"

namespace xorloom::cli {
namespace {

constexpr double kLineColumns = 64;
constexpr std::size_t kLeastBlock = 64;

double real(std::size_t count) { return static_cast<double>(count); }

/// Seconds per column of one core: its groups, each in blocks of its own, and fetching lines from
/// other cores.
double column_seconds(const CoreWork& core, const ExecutorCosts& costs) {
  double seconds = real(core.values) * costs.threads.line / kLineColumns;
  for (const GroupWork& group : core.groups) {
    seconds += seconds_of(costs.core, group.tile) / real(group.tile_columns);
  }
  return seconds;
}

/// Seconds of the busiest thread. If there are fewer threads than cores, the cores are assigned
/// greedily: the longest first, each to the thread with least to do.
double busiest_thread(const PlanExplanation& explanation, std::size_t threads, std::size_t columns,
                      const ExecutorCosts& costs) {
  const bool hands_over =
      std::ranges::any_of(explanation.cores, [](const CoreWork& core) { return core.values != 0; });
  const std::size_t block = std::max(wanted_block_columns(columns, hands_over), kLeastBlock);
  const double blocks = real((columns + block - 1) / block);
  std::vector<double> cores;
  for (const CoreWork& core : explanation.cores) {
    cores.push_back(real(columns) * column_seconds(core, costs) +
                    blocks * real(core.groups.size()) * costs.threads.block);
  }
  std::ranges::sort(cores, std::greater());
  std::vector<double> busy(std::min(threads, std::max<std::size_t>(1, cores.size())), 0.0);
  for (const double core : cores) *std::ranges::min_element(busy) += core;
  // The last core of a chain starts once the others have finished their first blocks.
  std::size_t most_groups = 0;
  for (const CoreWork& core : explanation.cores) {
    most_groups = std::max(most_groups, core.values == 0 ? 0 : core.groups.size());
  }
  return std::ranges::max(busy) * (1 + real(most_groups) / std::max(1.0, blocks));
}

/// Seconds if a core computes all groups of a block. The groups after the first find their inputs
/// in L1, if blocks fit it, else in L2. Each group adds the overhead of a call.
double near_seconds(const PlanExplanation& explanation, std::size_t threads, std::size_t columns,
                    std::size_t block, const ExecutorCosts& costs) {
  const double blocks = std::ceil(real(columns) / real(block) / real(threads));
  InstructionCosts next = costs.core;
  const bool is_in_first =
      explanation.near_blocks.fits_first && costs.stores != Stores::kNonTemporal;
  next.byte_read = is_in_first ? 0 : std::min(next.byte_read, costs.near_byte_read);
  double block_seconds = 0;
  bool is_first = true;
  for (const CoreWork& core : explanation.cores) {
    for (const GroupWork& group : core.groups) {
      block_seconds += costs.call + seconds_of(is_first ? costs.core : next, group.tile) *
                                        real(block) / real(group.tile_columns);
      is_first = false;
    }
  }
  return std::min(blocks, real(columns) / real(block)) * block_seconds;
}

/// Costs of a core whose part of the stripe has `bytes`. Rates were measured at half of a cache and
/// at 4 * L2; in between, a stripe lies in two levels, and the costs are interpolated.
InstructionCosts costs_at(const CoreCosts& rates, std::size_t bytes, std::size_t chunks,
                          const CacheSizes& caches, double far_share) {
  constexpr double kFits = 0.75;  // share of a cache that a stripe can use
  const auto beyond = [bytes](std::size_t cache) { return real(bytes) / real(cache) / kFits - 1; };
  const InstructionCosts l2 = rates.at(Level::kL2, chunks);
  if (beyond(caches.l2) <= 0) {
    const double share = std::clamp(beyond(caches.l1), 0.0, 1.0);
    return between(rates.at(Level::kL1, chunks), l2, share);
  }
  InstructionCosts far = rates.at(bytes > caches.l3 ? Level::kMemory : Level::kL3, chunks);
  far.byte_read *= far_share;
  far.byte_written *= far_share;
  return between(l2, far, std::min(beyond(caches.l2), 1.0));
}

}  // namespace

ExecutorCosts costs_of(const MachineRates::Of& rates, const ThreadCosts& threads,
                       const CacheSizes& caches, std::size_t stripe_bytes, std::size_t chunks,
                       std::size_t num_threads) {
  const double far_share = num_threads > 1 ? threads.far_share : 1;
  return {costs_at(rates.costs, stripe_bytes / num_threads, chunks, caches, far_share),
          rates.costs.at(Level::kL2, chunks).byte_read, rates.costs.call_seconds(chunks), threads,
          stores_for({caches, num_threads}, stripe_bytes)};
}

double predicted_seconds(const PlanExplanation& explanation, Executor executor, std::size_t threads,
                         std::size_t columns, const ExecutorCosts& costs) {
  const std::size_t tile_columns = std::max<std::size_t>(1, explanation.work.tile_columns);
  const double seconds = seconds_of(costs.core, explanation.work.tile);
  const std::size_t tiles = (columns + tile_columns - 1) / tile_columns;
  if (threads <= 1 || (runs_a_graph(executor) && explanation.cores.empty())) {
    return costs.call + real(tiles) * seconds;
  }
  if (executor == Executor::kGraph) {
    const std::size_t block =
        near_block_columns(explanation.near_blocks, columns, threads, costs.stores);
    if (block != 0) {
      return costs.call + costs.threads.start +
             near_seconds(explanation, threads, columns, block, costs);
    }
  }
  if (runs_a_graph(executor)) {
    return costs.call + costs.threads.start + busiest_thread(explanation, threads, columns, costs);
  }
  const std::size_t share = (tiles + threads - 1) / threads;
  return costs.call + costs.threads.start + real(share) * seconds;
}

}  // namespace xorloom::cli
