#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "runtime/plans/plan_cache.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A thread that makes better plans of those that decode much, one after the other. It starts when
/// there is the first to be made, and takes time that the processors have left.
class PlanImprover {
 public:
  /// Makes a better plan of a key and keeps it. Throws if it cannot, or if it gave up because
  /// stop_requested said so.
  using Improve =
      std::function<void(const PlanCache::Key& key, const std::function<bool()>& stop_requested)>;

  /// Bytes of data that a plan has decoded when a search of Effort::kQuick pays: it takes about as
  /// long as decoding them took. A search of Effort::kNormal does not pay after any number of bytes:
  /// the plans of 6 + 3 to 28 + 4 that it finds decode as fast, within 2 %.
  static constexpr std::uint64_t kPayingBytes = std::uint64_t{1} << 30;

  explicit PlanImprover(Improve improve);

  /// Waits for the thread, which gives up what it is at. In a child process, which has no such
  /// thread, it waits for nothing.
  ~PlanImprover();
  PlanImprover(const PlanImprover&) = delete;
  PlanImprover& operator=(const PlanImprover&) = delete;

  /// Puts a key in the queue if this call is the one from which on a better plan pays, unless too
  /// many wait there. It does not fail, and may wait while the thread looks at the queue.
  ///
  /// Shape: bytes that the plans of the key have decoded, with those of this call.
  void offer(const PlanCache::Key& key, std::uint64_t decoded, std::uint64_t in_call) noexcept;

  std::uint64_t improved() const noexcept;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace xorloom
