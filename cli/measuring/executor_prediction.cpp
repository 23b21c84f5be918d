#include "cli/measuring/executor_prediction.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/engine/executor.hpp"

namespace xorloom::cli {
namespace {

constexpr double kLineColumns = 64;
constexpr std::size_t kLeastBlock = 64;

double real(std::size_t count) { return static_cast<double>(count); }

double tile_seconds(const ExecutorCosts& costs, const TileCounts& tile) {
  return std::max(seconds_of(costs.near, tile), seconds_of(costs.core, tile));
}

/// Groups of a core take a block each, and lines go over for what is handed over.
double column_seconds(const CoreWork& core, const ExecutorCosts& costs) {
  double seconds = real(core.values) * costs.threads.line / kLineColumns;
  for (const GroupWork& group : core.groups) {
    seconds += tile_seconds(costs, group.tile) / real(group.tile_columns);
  }
  return seconds;
}

/// Cores share threads where there are fewer of those: the one with least to do takes the next.
double busiest_thread(const PlanExplanation& explanation, std::size_t threads, std::size_t columns,
                      const ExecutorCosts& costs) {
  const std::size_t block = std::max(wanted_block_columns(columns), kLeastBlock);
  const double blocks = real((columns + block - 1) / block);
  std::vector<double> cores;
  for (const CoreWork& core : explanation.cores) {
    cores.push_back(real(columns) * column_seconds(core, costs) +
                    blocks * real(core.groups.size()) * costs.threads.block);
  }
  std::ranges::sort(cores, std::greater());
  std::vector<double> busy(std::min(threads, std::max<std::size_t>(1, cores.size())), 0.0);
  for (const double core : cores) *std::ranges::min_element(busy) += core;
  // The last core of a chain begins when the others have their first blocks behind them.
  std::size_t most_groups = 0;
  for (const CoreWork& core : explanation.cores) {
    most_groups = std::max(most_groups, core.values == 0 ? 0 : core.groups.size());
  }
  return std::ranges::max(busy) * (1 + real(most_groups) / std::max(1.0, blocks));
}

/// Of a core whose part of the stripe has that many bytes. Rates are of stripes that fill half of
/// L2, and four times L2: what fills nearly all of it lies in both levels.
InstructionCosts costs_at(const MachineRates::Of& rates, std::size_t bytes,
                          const CacheSizes& caches, double far_share) {
  constexpr double kFits = 0.75;  // of L2, with what else is in it
  const double share = real(bytes) / real(caches.l2);
  if (share <= kFits) return rates.l2;
  const InstructionCosts none;
  const InstructionCosts far =
      between(none, bytes > caches.l3 ? rates.memory : rates.l3, far_share);
  if (share >= 2 * kFits) return far;
  return between(rates.l2, far, share / kFits - 1);
}

}  // namespace

ExecutorCosts costs_of(const MachineRates::Of& rates, const ThreadCosts& threads,
                       const CacheSizes& caches, std::size_t stripe_bytes,
                       std::size_t num_threads) {
  return {
      costs_at(rates, stripe_bytes / num_threads, caches, num_threads > 1 ? threads.far_share : 1),
      rates.l2, threads};
}

double predicted_seconds(const PlanExplanation& explanation, Executor executor, std::size_t threads,
                         std::size_t columns, const ExecutorCosts& costs) {
  const std::size_t tile_columns = std::max<std::size_t>(1, explanation.tile_columns);
  const double seconds = tile_seconds(costs, explanation.tile);
  const std::size_t tiles = (columns + tile_columns - 1) / tile_columns;
  if (threads <= 1 || (runs_a_graph(executor) && explanation.cores.empty())) {
    return costs.threads.call + real(tiles) * seconds;
  }
  if (runs_a_graph(executor)) {
    return costs.threads.call + costs.threads.start +
           busiest_thread(explanation, threads, columns, costs);
  }
  const std::size_t share = (tiles + threads - 1) / threads;
  return costs.threads.call + costs.threads.start + real(share) * seconds;
}

}  // namespace xorloom::cli
