#include "runtime/plans/plan_improver.hpp"

#include <utility>

namespace xorloom {
namespace {

/// Keys that are remembered, so that none is improved twice; past it all are forgotten.
constexpr std::size_t kMostRemembered = 10'000;

}  // namespace

PlanImprover::PlanImprover(Improve improve)
    : improve_(std::move(improve)), thread_([this] { work(); }) {}

PlanImprover::~PlanImprover() {
  {
    const std::lock_guard lock(mutex_);
    stop_requested_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void PlanImprover::offer(const PlanCache::Key& key, std::uint64_t uses) noexcept try {
  const bool is_often = uses >= kOften;
  {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    if (offered_.size() >= kMostRemembered) offered_.clear();
    const auto [offered, is_new] = offered_.try_emplace(key, is_often);
    if (!is_new && (offered->second || !is_often)) return;
    offered->second = is_often;
    queue_.push_back({key, is_often ? Effort::kNormal : Effort::kQuick});
  }
  changed_.notify_one();
} catch (...) {
  // It stays as it is: the next use offers it again.
}

void PlanImprover::work() {
  for (;;) {
    Work next;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stop_requested_ || !queue_.empty(); });
      if (stop_requested_) return;
      next = std::move(queue_.front());
      queue_.pop_front();
    }
    try {
      const auto is_over = [this] { return stop_requested_.load(std::memory_order_relaxed); };
      if (improve_(next.key, next.effort, is_over)) {
        improved_.fetch_add(1, std::memory_order_relaxed);
      }
    } catch (...) {
      // The plan there was goes on being used.
    }
  }
}

}  // namespace xorloom
