#include "runtime/plans/plan_improver.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace xorloom {
namespace {

/// Keys that are remembered, so that none is improved twice; past it all are forgotten.
constexpr std::size_t kMostRemembered = 10'000;

/// The calling thread takes what others leave, where the system can tell.
void run_when_idle() noexcept {
#ifdef SCHED_IDLE
  const sched_param none{};
  static_cast<void>(pthread_setschedparam(pthread_self(), SCHED_IDLE, &none));
#endif
}

}  // namespace

struct PlanImprover::Work {
  struct Task {
    PlanCache::Key key;
    Effort effort;
  };

  explicit Work(Improve how) : improve(std::move(how)) {}
  void run();

  /// A child process inherits the work, but not its thread.
  bool is_inherited() const { return process != ::getpid(); }

  Improve improve;
  pid_t process = ::getpid();
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Task> queue;
  std::map<PlanCache::Key, bool> offered;  ///< and whether it was for a normal effort
  std::atomic<bool> stop_requested{false};
  std::atomic<std::uint64_t> improved{0};
  std::thread thread;
};

PlanImprover::PlanImprover(Improve improve) : work_(std::make_unique<Work>(std::move(improve))) {}

PlanImprover::~PlanImprover() {
  if (work_->is_inherited()) {
    static_cast<void>(work_.release());  // its thread and those that wait are another process's
    return;
  }
  {
    const std::lock_guard lock(work_->mutex);
    work_->stop_requested = true;
  }
  work_->changed.notify_all();
  if (work_->thread.joinable()) work_->thread.join();
}

void PlanImprover::offer(const PlanCache::Key& key, std::uint64_t decoded,
                         std::uint64_t in_call) noexcept try {
  if (decoded / kBytesForQuick == (decoded - in_call) / kBytesForQuick) return;
  const bool is_much = decoded >= kBytesForNormal;
  {
    const std::unique_lock lock(work_->mutex, std::try_to_lock);
    if (!lock || work_->is_inherited()) return;
    if (!work_->thread.joinable())
      work_->thread = std::thread([work = work_.get()] { work->run(); });
    if (work_->offered.size() >= kMostRemembered) work_->offered.clear();
    const auto [offered, is_new] = work_->offered.try_emplace(key, is_much);
    if (!is_new && (offered->second || !is_much)) return;
    offered->second = is_much;
    work_->queue.push_back({key, is_much ? Effort::kNormal : Effort::kQuick});
  }
  work_->changed.notify_one();
} catch (...) {
  // It stays as it is: a later use offers it again.
}

std::uint64_t PlanImprover::improved() const noexcept {
  return work_->improved.load(std::memory_order_relaxed);
}

void PlanImprover::Work::run() {
  run_when_idle();
  for (;;) {
    Task next;
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return stop_requested || !queue.empty(); });
      if (stop_requested) return;
      next = std::move(queue.front());
      queue.pop_front();
    }
    try {
      const auto is_over = [this] { return stop_requested.load(std::memory_order_relaxed); };
      if (improve(next.key, next.effort, is_over)) improved.fetch_add(1, std::memory_order_relaxed);
    } catch (...) {
      // The plan there was goes on being used.
    }
  }
}

}  // namespace xorloom
