#include "runtime/plans/encoding_plan.hpp"

namespace xorloom {
namespace {

/// How much longer the best plan takes to be made than one of a fast search: 5 to 20 times on
/// packets, where neither is known before.
constexpr std::uint64_t kBestToFirst = 10;

/// After a plan could not be made, until it is tried again.
constexpr std::uint64_t kDelay = 4;

}  // namespace

EncodingPlan::EncodingPlan(std::optional<Plan> quick, Make make, std::uint64_t nanoseconds)
    : make_(std::move(make)) {
  if (quick) {
    due_.store(nanoseconds, std::memory_order_relaxed);
    now_.store(&plans_[kQuick].emplace(*std::move(quick)), std::memory_order_relaxed);
  } else {
    make_level(kBest);
  }
}

/// The lock is held.
const Plan& EncodingPlan::make_level(Level level) {
  const Plan& plan = plans_[level].emplace(make_(level == kBest));
  now_.store(&plan, std::memory_order_release);
  spent_.store(0, std::memory_order_relaxed);
  return plan;
}

const Plan& EncodingPlan::best() {
  const std::lock_guard lock(making_);
  if (plans_[kBest]) return *plans_[kBest];
  const Plan& plan = make_level(kBest);
  due_.store(kNever, std::memory_order_release);
  return plan;
}

/// By one thread; the others go on with the plan that there is.
void EncodingPlan::make_next() noexcept {
  const std::unique_lock lock(making_, std::try_to_lock);
  const std::uint64_t due = due_.load(std::memory_order_relaxed);
  if (!lock || due == kNever || spent_.load(std::memory_order_relaxed) < due) return;
  try {
    const auto begin = std::chrono::steady_clock::now();
    const Level level = plans_[kFirst] ? kBest : kFirst;
    make_level(level);
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - begin;
    due_.store(level == kBest ? kNever : kBestToFirst * static_cast<std::uint64_t>(taken.count()),
               std::memory_order_release);
  } catch (...) {
    // The plan that there is encodes as well; memory may be there later.
    due_.store(kDelay * due, std::memory_order_relaxed);
  }
}

}  // namespace xorloom
