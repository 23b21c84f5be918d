#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "runtime/plans/plan_cache.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A thread that makes better plans of those that are used often, one after the other.
class PlanImprover {
 public:
  /// Makes a better plan of a key with an effort and keeps it; false if it gave up because
  /// stop_requested said so.
  using Improve = std::function<bool(const PlanCache::Key& key, Effort effort,
                                     const std::function<bool()>& stop_requested)>;

  /// Uses from which on a plan is worth a normal search. A second use is worth a quick one.
  static constexpr std::uint64_t kOften = 1000;

  explicit PlanImprover(Improve improve);

  /// Waits for the thread, which gives up what it is at.
  ~PlanImprover();
  PlanImprover(const PlanImprover&) = delete;
  PlanImprover& operator=(const PlanImprover&) = delete;

  /// Puts a key that was used again in the queue, unless it was there before with the effort that
  /// so many uses are worth. Gives up rather than wait or fail.
  void offer(const PlanCache::Key& key, std::uint64_t uses) noexcept;

  std::uint64_t improved() const noexcept { return improved_.load(std::memory_order_relaxed); }

 private:
  struct Work {
    PlanCache::Key key;
    Effort effort;
  };
  void work();

  Improve improve_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> queue_;
  std::map<PlanCache::Key, bool> offered_;  ///< and whether it was for a normal effort
  std::atomic<bool> stop_requested_{false};
  std::atomic<std::uint64_t> improved_{0};
  std::thread thread_;  ///< last, so that it starts when all else is there
};

}  // namespace xorloom
