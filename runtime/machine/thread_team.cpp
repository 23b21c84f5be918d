#include "runtime/machine/thread_team.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSpinsBetweenLooks = 32;  ///< at the clock

/// The word that the threads watch. It is a single one, so that beginning or ending a job fetches
/// one line. Low bits: number of threads in the job. High bits: the turn, which grows by one as a
/// job opens and as it closes.
using State = std::uint32_t;
constexpr State kInside = 1;
constexpr State kTurn = 1024;
static_assert(ThreadTeam::kMostThreads < kTurn);

State turn_of(State state) noexcept { return state / kTurn; }
State num_inside(State state) noexcept { return state % kTurn; }
bool is_open(State state) noexcept { return turn_of(state) % 2 != 0; }

}  // namespace

struct ThreadTeam::Impl {
  alignas(kLineBytes) std::atomic<State> state{0};
  // The job, which changes only while none is open and no thread is inside.
  Function function = nullptr;
  const void* context = nullptr;
  std::size_t threads = 0;
  Clock::duration awake{};

  alignas(kLineBytes) std::atomic<std::uint32_t> sleepers{0};  ///< threads asleep, or about to be
  std::atomic<bool> is_ending{false};
  std::atomic<bool> is_abandoned{false};   ///< in a forked process, which has none of the threads
  alignas(kLineBytes) std::mutex use;      ///< held by the call that runs
  alignas(kLineBytes) std::mutex growing;  ///< guards the members below
  std::vector<std::thread> workers;
  std::atomic<std::size_t> size{1};  ///< with the caller

  void work(std::size_t number) noexcept;
  State next_turn(State seen, Clock::duration stay) noexcept;
};

/// Waits until the turn is another than that of `seen`: awake for `stay`, then asleep.
State ThreadTeam::Impl::next_turn(State seen, Clock::duration stay) noexcept {
  const Clock::time_point end = Clock::now() + stay;
  do {
    for (int i = 0; i < kSpinsBetweenLooks; ++i) {
      const State now = state.load(std::memory_order_acquire);
      if (turn_of(now) != turn_of(seen)) return now;
      pause_thread();
    }
  } while (Clock::now() < end);
  // A thread that changes the turn after this line sees that another one sleeps.
  sleepers.fetch_add(1);
  State now = state.load();
  for (; turn_of(now) == turn_of(seen); now = state.load()) state.wait(now);
  sleepers.fetch_sub(1);
  return now;
}

void ThreadTeam::Impl::work(std::size_t number) noexcept {
  Clock::duration stay{};
  for (State seen = state.load(); !is_ending.load();) {
    // Nobody joins a closed job, not even for a moment: the caller then owns the word.
    while (is_open(seen)) {
      if (!state.compare_exchange_weak(seen, seen + kInside)) continue;
      stay = awake;
      if (number < threads) function(context, number);
      state.fetch_sub(kInside);
      break;
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

/// Leaves the team as it is: nobody knows what its threads were doing when the process was forked.
void ThreadTeam::abandon() noexcept { impl_->is_abandoned.store(true); }

ThreadTeam::~ThreadTeam() {
  if (impl_->is_abandoned.load()) {
    static_cast<void>(impl_.release());
    return;
  }
  impl_->is_ending.store(true);
  impl_->state.fetch_add(2 * kTurn);
  impl_->state.notify_all();
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
  team.state.store(team.state.load(std::memory_order_relaxed) + kTurn, std::memory_order_release);
  if (team.sleepers.load(std::memory_order_relaxed) != 0) team.state.notify_all();
  function(context, 0);
  State state = team.state.fetch_add(kTurn);
  for (std::uint32_t spins = 0; num_inside(state) != 0; ++spins) {
    wait_a_little(spins);
    state = team.state.load(std::memory_order_acquire);
  }
  return true;
}

}  // namespace xorloom
