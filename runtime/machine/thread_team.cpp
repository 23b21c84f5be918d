#include "runtime/machine/thread_team.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/machine/pause.hpp"

namespace xorloom {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLine = 64;
constexpr int kSpinsBetweenLooks = 32;  ///< at the clock

}  // namespace

struct ThreadTeam::Impl {
  /// What the threads watch. Odd while a job is open.
  alignas(kLine) std::atomic<std::uint32_t> turn{0};
  // The job, which changes only while none is open and no thread is inside.
  Function function = nullptr;
  const void* context = nullptr;
  std::size_t threads = 0;
  Clock::duration awake{};

  // What some thread often writes has a line of its own, apart from what others read.
  alignas(kLine) std::atomic<std::uint32_t> inside{0};    ///< threads in the job
  alignas(kLine) std::atomic<std::uint32_t> sleepers{0};  ///< threads asleep, or about to be
  std::atomic<bool> is_ending{false};
  std::atomic<bool> is_abandoned{false};  ///< in a forked process, which has none of the threads
  alignas(kLine) std::mutex use;          ///< one call at a time
  alignas(kLine) std::mutex growing;      ///< of the members below
  std::vector<std::thread> workers;
  std::atomic<std::size_t> size{1};  ///< with the caller

  void work(std::size_t number) noexcept;
  std::uint32_t next_turn(std::uint32_t seen, Clock::duration stay) noexcept;
};

/// Waits until the turn is another than the one that was seen: awake for some time, then asleep.
std::uint32_t ThreadTeam::Impl::next_turn(std::uint32_t seen, Clock::duration stay) noexcept {
  const Clock::time_point end = Clock::now() + stay;
  do {
    for (int i = 0; i < kSpinsBetweenLooks; ++i) {
      const std::uint32_t now = turn.load(std::memory_order_acquire);
      if (now != seen) return now;
      pause_thread();
    }
  } while (Clock::now() < end);
  // Whoever changes the turn after this sees that somebody sleeps.
  sleepers.fetch_add(1);
  turn.wait(seen);
  sleepers.fetch_sub(1);
  return turn.load(std::memory_order_acquire);
}

void ThreadTeam::Impl::work(std::size_t number) noexcept {
  Clock::duration stay{};
  for (std::uint32_t seen = turn.load(); !is_ending.load();) {
    if (seen % 2 != 0) {
      // Announced first, looked at after: either the caller sees this thread inside, or this thread
      // sees that the job is closed.
      inside.fetch_add(1);
      if (turn.load() == seen) {
        stay = awake;
        if (number < threads) function(context, number);
      }
      inside.fetch_sub(1);
    }
    seen = next_turn(seen, stay);
  }
}

ThreadTeam& ThreadTeam::shared() {
  static ThreadTeam team;
  static const int is_registered =
      pthread_atfork(nullptr, nullptr, []() noexcept { team.abandon(); });
  static_cast<void>(is_registered);
  return team;
}

ThreadTeam::ThreadTeam() : impl_(std::make_unique<Impl>()) {}

/// What its threads were doing when the process was forked is not known, so that it is left as it
/// was.
void ThreadTeam::abandon() noexcept { impl_->is_abandoned.store(true); }

ThreadTeam::~ThreadTeam() {
  if (impl_->is_abandoned.load()) {
    static_cast<void>(impl_.release());
    return;
  }
  impl_->is_ending.store(true);
  impl_->turn.fetch_add(2);
  impl_->turn.notify_all();
  for (std::thread& worker : impl_->workers) worker.join();
}

void ThreadTeam::grow(std::size_t threads) noexcept try {
  if (impl_->is_abandoned.load(std::memory_order_relaxed)) return;
  threads = std::min(threads, kMostThreads);
  if (impl_->size.load(std::memory_order_relaxed) >= threads) return;
  const std::scoped_lock lock(impl_->growing);
  while (impl_->workers.size() + 1 < threads) {
    const std::size_t number = impl_->workers.size() + 1;
    impl_->workers.emplace_back([impl = impl_.get(), number] { impl->work(number); });
    impl_->size.store(number + 1, std::memory_order_relaxed);
  }
} catch (...) {  // the system has no more threads: those that there are must do
  return;
}

bool ThreadTeam::run_job(std::size_t threads, std::chrono::microseconds awake, Function function,
                         const void* context) noexcept {
  Impl& team = *impl_;
  if (team.is_abandoned.load(std::memory_order_relaxed)) return false;
  const std::unique_lock lock(team.use, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  team.function = function;
  team.context = context;
  team.threads = threads;
  team.awake = awake;
  // A thread that falls asleep at this very moment is not woken, and misses this job alone.
  const std::uint32_t open = team.turn.load(std::memory_order_relaxed) + 1;
  team.turn.store(open, std::memory_order_release);
  if (team.sleepers.load(std::memory_order_relaxed) != 0) team.turn.notify_all();
  function(context, 0);
  team.turn.store(open + 1);
  for (std::uint32_t spins = 0; team.inside.load() != 0; ++spins) wait_a_little(spins);
  return true;
}

}  // namespace xorloom
