#include "runtime/plans/quick_plans.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/engine/accepted_kernels.hpp"
#include "runtime/plans/repair_plan.hpp"

namespace xorloom {
namespace {

/// Of the map of a plan: more are worth machine code at once.
constexpr std::size_t kMostTerms = std::size_t{1} << 15;

/// What kernels compute in a nanosecond, in the units of Computation::cost: bytes that are added,
/// or multiplied and added. From 60 (AVX2) to 170 (AVX-512, GFNI) were measured.
constexpr std::uint64_t kWorkOfNanosecond = 128;

}  // namespace

/// What a plan of machine code takes to be made, about, until one was.
std::uint64_t QuickPlans::usual_making(const Code& code) {
  constexpr std::uint64_t kLeast = 300'000;
  constexpr std::uint64_t kOfTerm = 2000;
  constexpr std::uint64_t kOfTermOfBits = 700;
  const std::uint64_t terms = code.redundant.size() * code.data.size();
  if (code.arrangement == Arrangement::kWord) return kLeast + kOfTerm * terms;
  return kLeast + kOfTermOfBits * terms * code.field.w() * code.field.w();
}

bool QuickPlans::fits(const PlanOptions& options) {
  const Executor executor = options.execution.executor;
  return (executor == Executor::kAuto || executor == Executor::kRanges) &&
         options.engine == Engine::kAuto && options.style == EquationForm::kAuto &&
         options.effort == Effort::kAuto && options.rates == nullptr;
}

bool QuickPlans::is_accepted(const Plan& plan) {
  const std::uint32_t rows = PlanAccess::impl_of(plan).computation->kernel_rows();
  if ((rows & ~accepted_rows_.load(std::memory_order_acquire)) == 0) return true;
  try {
    accept_kernels(code_, options_.isa, rows);
  } catch (const Error&) {
    return false;  // plans are made as for anything else
  }
  accepted_rows_.fetch_or(rows, std::memory_order_release);
  return true;
}

std::optional<Plan> QuickPlans::make(const LinearMap& map) {
  if (!are_wanted_ || map.inputs.size() * map.outputs.size() > kMostTerms) return std::nullopt;
  Plan plan = make_kernel_plan(code_, map, options_);
  if (!is_accepted(plan)) return std::nullopt;
  return plan;
}

std::optional<QuickPlans::Made> QuickPlans::make(std::span<const std::size_t> lost,
                                                 std::span<const std::size_t> wanted,
                                                 std::uint64_t decoded) {
  const std::size_t outputs = (wanted.empty() ? lost : wanted).size() * code_.subchunks;
  if (!are_wanted_ || outputs == 0 || outputs * code_.data.size() > kMostTerms) {
    return std::nullopt;
  }
  std::optional<Plan> plan = make(in_memory_map(code_, lost, wanted));
  if (!plan) return std::nullopt;
  Made made{*std::move(plan), 0};
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
