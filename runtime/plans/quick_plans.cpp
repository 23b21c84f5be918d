#include "runtime/plans/quick_plans.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/plans/repair_plan.hpp"

namespace xorloom {
namespace {

/// Of the map of a plan and of what encodes: more are worth machine code at once.
constexpr std::size_t kMostTerms = std::size_t{1} << 15;

}  // namespace

bool QuickPlans::fits(const Code& code, const PlanOptions& options) {
  const Executor executor = options.execution.executor;
  // Accepting kernels takes longer than a plan where there are more.
  if (code.redundant.size() * code.data.size() > kMostTerms) return false;
  return (executor == Executor::kAuto || executor == Executor::kRanges) &&
         options.engine == Engine::kAuto && options.style == EquationForm::kAuto &&
         options.effort == Effort::kAuto && options.rates == nullptr;
}

bool QuickPlans::are_accepted() {
  std::call_once(accepting_, [&] {
    try {
      accept_kernels(code_, options_);
      are_accepted_ = true;
    } catch (const Error&) {
      // Plans are made as for any other code.
    }
  });
  return are_accepted_;
}

std::optional<QuickPlans::Made> QuickPlans::make(std::span<const std::size_t> lost,
                                                 std::span<const std::size_t> wanted,
                                                 std::uint64_t decoded) {
  if (!are_wanted_ || lost.empty() || !are_accepted()) return std::nullopt;
  const LinearMap map = in_memory_map(code_, lost, wanted);
  if (map.inputs.size() * map.outputs.size() > kMostTerms) return std::nullopt;
  Made made{make_kernel_plan(code_, map, options_), 0};
  const Computation& computation = *PlanAccess::impl_of(made.plan).computation;
  const std::uint64_t data_columns = code_.k * code_.rows();  // bytes of data to a column
  made.enough = making_nanoseconds_.load(std::memory_order_relaxed) * kWorkOfNanosecond *
                data_columns / std::max<std::uint64_t>(1, computation.cost());
  if (decoded >= made.enough) return std::nullopt;
  return made;
}

void QuickPlans::note_making(std::uint64_t nanoseconds) noexcept {
  constexpr std::uint64_t kShare = 4;  // of the last one
  const std::uint64_t before = making_nanoseconds_.load(std::memory_order_relaxed);
  making_nanoseconds_.store(before - before / kShare + nanoseconds / kShare,
                            std::memory_order_relaxed);
}

}  // namespace xorloom
