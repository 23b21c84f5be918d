#include "runtime/plans/encoding_plan.hpp"

namespace xorloom {
namespace {

/// Time to make the best plan, as a multiple of a fast search: 5 to 20 on packets, if the store has
/// neither plan.
constexpr std::uint64_t kBestToFirst = 10;

/// Factor by which due_ grows when making a plan failed.
constexpr std::uint64_t kDelay = 4;

}  // namespace

EncodingPlan::EncodingPlan(std::optional<Plan> quick, Make make, std::uint64_t nanoseconds)
    : make_(std::move(make)) {
  if (quick) {
    due_.store(nanoseconds, std::memory_order_relaxed);
    now_.store(&plans_[kByKernels].emplace(*std::move(quick)), std::memory_order_relaxed);
  } else {
    make_level(kSearchedLonger);
  }
}

/// Precondition: the caller holds `making_`.
const Plan& EncodingPlan::make_level(Level level) {
  const Plan& plan = plans_[level].emplace(make_(level == kSearchedLonger));
  now_.store(&plan, std::memory_order_release);
  spent_.store(0, std::memory_order_relaxed);
  return plan;
}

Plan EncodingPlan::best() {
  // The thread that holds the lock may take long, or be one of the process before a fork.
  const std::unique_lock lock(making_, std::try_to_lock);
  if (!lock) return make_(true);
  if (plans_[kSearchedLonger]) return *plans_[kSearchedLonger];
  const Plan& plan = make_level(kSearchedLonger);
  due_.store(kNever, std::memory_order_release);
  return plan;
}

/// Makes the next plan, on one thread. Other threads go on with the current plan.
void EncodingPlan::make_next() noexcept {
  const std::unique_lock lock(making_, std::try_to_lock);
  const std::uint64_t due = due_.load(std::memory_order_relaxed);
  if (!lock || due == kNever || spent_.load(std::memory_order_relaxed) < due) return;
  try {
    const auto begin = std::chrono::steady_clock::now();
    const Level level = plans_[kSearched] ? kSearchedLonger : kSearched;
    make_level(level);
    const std::chrono::nanoseconds taken = std::chrono::steady_clock::now() - begin;
    due_.store(level == kSearchedLonger ? kNever
                                        : kBestToFirst * static_cast<std::uint64_t>(taken.count()),
               std::memory_order_release);
  } catch (...) {
    // The current plan encodes the same bytes. Later there may be enough memory.
    due_.store(kDelay * due, std::memory_order_relaxed);
  }
}

}  // namespace xorloom
