#include "cli/bench/explain.hpp"

#include <algorithm>
#include <numeric>

#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/device_costs.hpp"
#include "cli/measuring/executor_prediction.hpp"
#include "cli/measuring/machine_rates.hpp"
#include "cli/shell/running.hpp"
#include "codes/bits.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/plans/prediction.hpp"

namespace xorloom::cli {
namespace {

std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

ExplainedOperation explained(const Code& code, std::size_t losses, const PlanOptions& plan) {
  std::vector<std::size_t> lost(losses);
  std::iota(lost.begin(), lost.end(), std::size_t{0});
  const LinearMap map = lost.empty() ? encoding_map(code) : decoding_map(code, lost, {});
  const PlanOptions how = lost.empty() ? for_encoding(plan) : plan;
  ExplainedOperation operation{std::move(lost), explanation_of(code, map, how), 0};
  // A column is a byte of each unit.
  operation.shared_from = round_up(
      columns_worth_sharing(plan.execution, operation.explanation.cost) * units_of_chunk(code),
      chunk_multiple(code));
  return operation;
}

/// Seconds of a call on such chunks by one core: this one if it was measured before, else an
/// ordinary one.
double one_core_seconds(const ExplainedOperation& operation, const MachineRates::Of* rates,
                        const CacheSizes& caches, const Code& code, std::size_t chunk_bytes) {
  const PlanExplanation& explanation = operation.explanation;
  const double tiles = static_cast<double>(data_capacity(code, chunk_bytes)) /
                       static_cast<double>(explanation.data_bytes);
  const Level level = xorloom::level_of(caches, chunk_bytes * code.locations);
  if (rates == nullptr) return tiles * predicted_seconds(explanation.tile, level);
  return seconds_of_call(rates->costs, level, explanation.tile, explanation.chunks, tiles);
}

/// The devices of an executor, measured if need be with all that `auto` compares them with; or
/// those known to `auto` that encode the largest chunks fastest.
std::optional<DeviceRates> devices_for(Executor executor, MachineRates& kept, Isa isa,
                                       const PlanExplanation& encoding,
                                       const std::vector<std::size_t>& chunk_bytes) {
  if (runs_on_devices(executor)) {
    for (const Arrangement arrangement : {Arrangement::kPacket, Arrangement::kWord}) {
      measured_rates(kept, isa, arrangement);
    }
    return measured_device_rates(kept, executor);
  }
  if (executor != Executor::kAuto || kept.devices.empty() || chunk_bytes.empty()) return {};
  return std::ranges::min(kept.devices, {}, [&](const DeviceRates& devices) {
    return device_seconds(devices, encoding.work, std::ranges::max(chunk_bytes));
  });
}

}  // namespace

Explanation explain(const Code& code, const std::vector<std::size_t>& losses,
                    const std::vector<std::size_t>& chunk_bytes, const Options& options) {
  Explanation explanation{code, options, plan_options(options), xorloom::this_machine(), {},
                          {},   {}};
  explanation.operations.push_back(explained(code, 0, explanation.plan));
  for (const std::size_t count : losses) {
    explanation.operations.push_back(explained(code, count, explanation.plan));
  }
  const CacheSizes& caches = explanation.machine.caches;
  const PlanExplanation& encoding = explanation.operations.front().explanation;
  const bool has_plan = options.executor == Executor::kAuto && !encoding.cores.empty();
  const Executor executor = has_plan ? Executor::kPlan : options.executor;
  const bool predicts_shared =
      executor != Executor::kAuto && !runs_on_devices(executor) && options.threads != 1;
  MachineRates kept = kept_rates();
  ThreadCosts threads{};
  if (predicts_shared) {
    measured_rates(kept, explanation.plan.isa, code.arrangement);
    threads = measured_thread_costs(explanation.plan.execution.threads != 0
                                        ? explanation.plan.execution.threads
                                        : explanation.machine.cores);
  }
  explanation.devices =
      devices_for(options.executor, kept, explanation.plan.isa, encoding, chunk_bytes);
  const MachineRates::Of* const rates = find_rates(kept, explanation.plan.isa, code.arrangement);
  if (rates != nullptr) explanation.error = rates->error;
  for (const std::size_t bytes : chunk_bytes) {
    const std::size_t stripe_bytes = bytes * code.locations;
    ExplainedSize size{bytes,
                       stripe_bytes,
                       level_of(stripe_bytes, caches),
                       stores_for(explanation.machine, bytes * encoding.chunks),
                       threads_for(explanation.machine, explanation.plan.execution, encoding.cost,
                                   bytes / units_of_chunk(code)),
                       {},
                       {}};
    for (const ExplainedOperation& operation : explanation.operations) {
      size.gigabytes.push_back(gigabytes_per_second(
          data_capacity(code, bytes), one_core_seconds(operation, rates, caches, code, bytes)));
    }
    if (predicts_shared) {
      const ExecutorCosts costs =
          costs_of(*rates, threads, caches, stripe_bytes, encoding.chunks, size.threads);
      const double seconds =
          predicted_seconds(encoding, executor, size.threads, bytes / units_of_chunk(code), costs);
      size.shared = gigabytes_per_second(data_capacity(code, bytes), seconds);
    }
    if (explanation.devices) {
      size.shared = gigabytes_per_second(
          data_capacity(code, bytes), device_seconds(*explanation.devices, encoding.work, bytes));
      size.is_on_devices = options.executor == Executor::kAuto &&
                           device_that_pays(kept, encoding.work, bytes) != nullptr;
    }
    explanation.sizes.push_back(std::move(size));
  }
  return explanation;
}

}  // namespace xorloom::cli
