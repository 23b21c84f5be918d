#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace xorloom {

/// Threads that stay awake for some time after their work, so that the next work starts in some
/// hundred nanoseconds; waking a sleeping thread takes tens of microseconds. Meanwhile they spend
/// their processors' time.
///
///     the caller    | job(0)              | all have left
///     thread 1        | job(1)         |     stays awake … then sleeps
///     thread 2, asleep      wakes … | finds the job closed and stays out
///
/// A call never waits for a thread that has not begun: it closes the job when its own part is done.
/// Precondition: the calling thread alone can finish the job. A thread keeps its number from call
/// to call, so its data is still in its processor's cache. A forked process has no team.
class ThreadTeam {
 public:
  static constexpr std::size_t kMostThreads = 256;

  /// The team of this process. Its threads start when they are first needed.
  static ThreadTeam& shared();

  ThreadTeam();
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Starts threads until the team has `threads` with the caller, or the system has no more. run()
  /// starts none.
  void grow(std::size_t threads) noexcept;

  /// Runs job(0) on the calling thread, and job(i) on those of threads 1 … threads-1 that come in
  /// time. They stay awake for `awake` after the job.
  ///
  /// Returns false, and runs nothing, while another call has the team, or in a forked process.
  template <typename Job>
  bool run(std::size_t threads, std::chrono::microseconds awake, const Job& job) noexcept {
    static_assert(std::is_nothrow_invocable_v<const Job&, std::size_t>);
    return run_job(
        threads, awake,
        [](const void* context, std::size_t thread) noexcept {
          (*static_cast<const Job*>(context))(thread);
        },
        &job);
  }

 private:
  using Function = void (*)(const void*, std::size_t) noexcept;
  bool run_job(std::size_t threads, std::chrono::microseconds awake, Function function,
               const void* context) noexcept;

  void abandon() noexcept;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Tells the processor that the thread is in a loop that waits.
inline void pause_thread() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Waits a round for another thread. The first rounds are short; later ones yield the processor,
/// perhaps to the thread that is waited for.
inline void wait_a_little(std::uint32_t rounds) noexcept {
  constexpr std::uint32_t kShortRounds = 200;
  if (rounds < kShortRounds) {
    pause_thread();
  } else {
    std::this_thread::yield();
  }
}

}  // namespace xorloom
