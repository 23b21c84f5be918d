#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "runtime/plans/plan_cache.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Improves plans that have decoded many bytes, one after the other, on a thread of its own. The
/// thread starts with the first plan to improve, at the lowest priority if the system has one for a
/// thread.
class PlanImprover {
 public:
  /// Makes a better plan for `key` and keeps it. Throws if it cannot, or if it gave up because
  /// stop_requested() was true.
  using Improve =
      std::function<void(const PlanCache::Key& key, const std::function<bool()>& stop_requested)>;

  /// Bytes of data that a plan has decoded when a search of Effort::kQuick pays: it takes about as
  /// long as decoding them took. A search of Effort::kNormal does not pay after any number of
  /// bytes: the plans of 6 + 3 to 28 + 4 that it finds decode as fast, within 2 %.
  static constexpr std::uint64_t kPayingBytes = std::uint64_t{1} << 30;

  explicit PlanImprover(Improve improve);

  /// Waits for the thread, which gives up its present plan. In a child process, which has no such
  /// thread, it waits for nothing.
  ~PlanImprover();
  PlanImprover(const PlanImprover&) = delete;
  PlanImprover& operator=(const PlanImprover&) = delete;

  /// Puts `key` in the queue if a better plan pays from this call on, unless too many keys wait.
  /// Never fails; may wait while the thread looks at the queue.
  ///
  /// Shape: `decoded` is the bytes that the plans of the key have decoded, with the `in_call` bytes
  ///        of this call.
  void offer(const PlanCache::Key& key, std::uint64_t decoded, std::uint64_t in_call) noexcept;

  std::uint64_t improved() const noexcept;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace xorloom
