#include "runtime/plans/plan_improver.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include "runtime/machine/roomy_thread.hpp"

namespace xorloom {
namespace {

/// Most keys that wait.
constexpr std::size_t kMostWaiting = 10'000;

/// Gives the calling thread the lowest priority, if the system can do so for one thread. It still
/// gets a hundredth of a busy core, which delays those that wait for it to give up.
void run_when_idle() noexcept {
#ifdef __linux__
  static_cast<void>(::setpriority(PRIO_PROCESS, 0, 19));
#endif
}

}  // namespace

struct PlanImprover::Work {
  explicit Work(Improve how) : improve(std::move(how)) {}
  void run();

  /// A child process inherits the work, but not its thread.
  bool is_inherited() const { return process != ::getpid(); }

  Improve improve;
  pid_t process = ::getpid();
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<PlanCache::Key> queue;
  std::atomic<bool> stop_requested{false};
  std::atomic<std::uint64_t> improved{0};
  RoomyThread thread;
};

PlanImprover::PlanImprover(Improve improve) : work_(std::make_unique<Work>(std::move(improve))) {}

PlanImprover::~PlanImprover() {
  if (work_->is_inherited()) {
    static_cast<void>(work_.release());  // the thread, and those that wait, are another process's
    return;
  }
  {
    const std::lock_guard lock(work_->mutex);
    work_->stop_requested = true;
  }
  work_->changed.notify_all();
  if (work_->thread.is_joinable()) work_->thread.join();
}

void PlanImprover::offer(const PlanCache::Key& key, std::uint64_t decoded,
                         std::uint64_t in_call) noexcept try {
  const bool passes = decoded >= kPayingBytes && decoded - in_call < kPayingBytes;
  if (!passes) return;
  {
    if (work_->is_inherited()) return;
    const std::lock_guard lock(work_->mutex);
    if (work_->queue.size() >= kMostWaiting) return;
    if (!work_->thread.is_joinable()) {
      work_->thread.begin([work = work_.get()] { work->run(); });
    }
    work_->queue.push_back(key);
  }
  work_->changed.notify_one();
} catch (...) {
  // The plan stays as it is.
}

std::uint64_t PlanImprover::improved() const noexcept {
  return work_->improved.load(std::memory_order_relaxed);
}

void PlanImprover::Work::run() {
  run_when_idle();
  for (;;) {
    PlanCache::Key next;
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return stop_requested || !queue.empty(); });
      if (stop_requested) return;
      next = std::move(queue.front());
      queue.pop_front();
    }
    try {
      const auto is_over = [this] { return stop_requested.load(std::memory_order_relaxed); };
      improve(next, is_over);
      improved.fetch_add(1, std::memory_order_relaxed);
    } catch (...) {
      // The old plan stays in use.
    }
  }
}

}  // namespace xorloom
