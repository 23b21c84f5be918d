#include "runtime/plans/hot_matrices.hpp"

#include <chrono>

#include "runtime/plans/plan.hpp"
#include "runtime/plans/quick_plans.hpp"

namespace xorloom {
namespace {

/// Least ratio of the time of calls to the time of making a plan; the second if the cache is full.
constexpr std::uint64_t kPays = 4;
constexpr std::uint64_t kPaysInFullCache = 64;

}  // namespace

std::uint64_t HotMatrices::steady_nanoseconds() {
  const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(now.count());
}

std::uint64_t HotMatrices::enough() const noexcept {
  return making_nanoseconds_.load(std::memory_order_relaxed) * kWorkOfNanosecond *
         (is_full_.load(std::memory_order_relaxed) ? kPaysInFullCache : kPays);
}

std::optional<Plan> HotMatrices::find(const Key& key, std::uint64_t work,
                                      const std::function<Plan()>& make) noexcept {
  const std::uint64_t hash = PlanCache::Hash{}(key);
  Mark& mark = marks_[hash / 8 % kMarks];
  // If threads race for a mark, some work is not counted.
  if (mark.matrix.load(std::memory_order_relaxed) != hash) {
    mark.matrix.store(hash, std::memory_order_relaxed);
    mark.work.store(0, std::memory_order_relaxed);
    mark.has_plan.store(false, std::memory_order_relaxed);
  }
  const auto found = [&]() -> std::optional<Plan> {
    std::optional<PlanCache::Found> kept = plans_.find(key);
    mark.has_plan.store(kept.has_value(), std::memory_order_relaxed);
    if (!kept) return std::nullopt;
    return std::move(kept->plan);
  };
  if (mark.has_plan.load(std::memory_order_relaxed)) {
    if (std::optional<Plan> plan = found()) return plan;
  }
  if (mark.work.fetch_add(work, std::memory_order_relaxed) + work < enough()) return std::nullopt;
  mark.work.store(0, std::memory_order_relaxed);
  if (std::optional<Plan> plan = found()) return plan;
  std::optional<Plan> plan = made(key, make);
  mark.has_plan.store(plan.has_value(), std::memory_order_relaxed);
  return plan;
}

std::optional<Plan> HotMatrices::made(const Key& key, const std::function<Plan()>& make) noexcept
    try {
  const std::uint64_t begin = clock_();
  Plan plan = make();
  const std::uint64_t spent = clock_() - begin;
  constexpr std::uint64_t kShare = 4;  // the last plan counts 1/4
  const std::uint64_t before = making_nanoseconds_.load(std::memory_order_relaxed);
  making_nanoseconds_.store(before - before / kShare + spent / kShare, std::memory_order_relaxed);
  plans_.keep(key, plan, memory_bytes(plan));
  if (plans_.counts().dropped != 0) is_full_.store(true, std::memory_order_relaxed);
  return plan;
} catch (...) {
  return std::nullopt;
}

}  // namespace xorloom
