#include "runtime/engine/cost_model.hpp"

#include <algorithm>
#include <thread>

#include "gen/vector/machine_facts.hpp"

namespace xorloom {

const Machine& this_machine() {
  static const Machine machine{cache_sizes(),
                               std::max<std::size_t>(1, std::thread::hardware_concurrency())};
  return machine;
}

std::size_t non_temporal_bytes(const Machine& machine) {
  const CacheSizes& caches = machine.caches;
  const bool is_far = caches.l3 >= kMaxL3BytesPerCore * machine.cores;
  return is_far ? caches.l2 : std::max(caches.l2, caches.l3 / 2);
}

Stores stores_for(const Machine& machine, std::size_t stripe_bytes) {
  if (stripe_bytes <= machine.caches.l2) return Stores::kNear;
  return stripe_bytes > non_temporal_bytes(machine) ? Stores::kNonTemporal : Stores::kOrdinary;
}

bool wants_crowded_kernel(const Machine& machine, std::size_t streams_read) {
  constexpr MachineFacts kUsual;
  constexpr std::size_t kBytesOfWay = kUsual.cache_sets * kCacheLine;
  constexpr std::size_t kSpareWays = 2;
  const std::size_t ways = machine.caches.l1 / kBytesOfWay;
  return ways <= kUsual.cache_ways || streams_read + kSpareWays > ways;
}

EquationForm form_for(EquationForm asked, std::size_t direct_xors) {
  if (asked != EquationForm::kAuto) return asked;
  return direct_xors <= kQuicklyShared ? EquationForm::kIterative : EquationForm::kDirect;
}

std::size_t columns_worth_sharing(const Execution& execution, std::size_t cost) {
  const std::size_t work =
      execution.awake.count() != 0 ? kWorkWorthSharingAwake : kWorkWorthSharing;
  return std::max<std::size_t>(1, work / std::max<std::size_t>(1, cost));
}

namespace {

constexpr std::size_t kTileColumns = 64;

/// Time of kernels for an XOR, relative to machine code.
constexpr std::size_t kKernelsSlower = 4;

}  // namespace

bool is_worth_a_plan(const Computation& computation, const Execution& execution,
                     bool can_have_code) {
  if (execution.executor != Executor::kAuto || computation.has_code()) return false;
  const std::size_t cores = execution.threads != 0 ? execution.threads : this_machine().cores;
  if (cores == 1) return false;
  const std::size_t cost = computation.cost();
  const std::size_t work =
      execution.awake.count() != 0 ? 2 * kWorkWorthSharingAwake : kWorkWorthSharing;
  return (can_have_code && cost / cores * kBytesOfFarXor <= kMostCodeBytes) ||
         cost * kTileColumns * kKernelsSlower >= work;
}

bool is_plan_faster(const TaskGraph& graph, std::size_t columns, std::size_t threads) {
  return graph.has_code() || columns < threads * kTileColumns;
}

std::size_t threads_for(const Machine& machine, const Execution& execution, std::size_t cost,
                        std::size_t columns) {
  const bool is_shared =
      execution.executor != Executor::kAuto || columns >= columns_worth_sharing(execution, cost);
  if (!is_shared) return 1;
  return execution.threads != 0 ? execution.threads : machine.cores;
}

}  // namespace xorloom
