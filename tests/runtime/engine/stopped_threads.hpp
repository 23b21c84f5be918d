#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "runtime/engine/graph_run.hpp"

namespace xorloom {

/// Stops threads between two blocks of a task graph, as long as it lives or until it lets them go.
/// There is one at a time. What threads look at is never destroyed, as they may look late.
class StoppedThreads {
 public:
  /// Says of a thread that has tried a block whether it stops now.
  using Stops = std::function<bool(std::size_t thread, std::uint32_t group, bool has_run)>;

  explicit StoppedThreads(Stops stops) {
    const std::scoped_lock lock(mutex);
    stops_now = std::move(stops);
    GraphRun::between_blocks = look;
  }
  StoppedThreads(const StoppedThreads&) = delete;
  StoppedThreads& operator=(const StoppedThreads&) = delete;
  ~StoppedThreads() { let_go(); }

  /// Number of stopped threads.
  std::size_t count() const {
    const std::scoped_lock lock(mutex);
    return stopped;
  }
  void wait_for(std::size_t count) const {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return stopped >= count; });
  }

  /// Returns when no thread is stopped any more.
  void let_go() const {
    GraphRun::between_blocks = nullptr;
    std::unique_lock lock(mutex);
    stops_now = nullptr;
    changed.notify_all();
    changed.wait(lock, [] { return stopped == 0; });
  }

 private:
  static void look(std::size_t thread, std::uint32_t group, bool has_run) noexcept {
    std::unique_lock lock(mutex);
    if (!stops_now || !stops_now(thread, group, has_run)) return;
    ++stopped;
    changed.notify_all();
    changed.wait(lock, [] { return !stops_now; });
    --stopped;
    changed.notify_all();
  }

  static inline std::mutex mutex;
  static inline std::condition_variable changed;
  static inline Stops stops_now;
  static inline std::size_t stopped = 0;
};

}  // namespace xorloom
