#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace xorloom {

/// Starts TBB up, once in a process; false if that failed, or if the system has no second thread. It
/// is not tried again then: TBB does not survive an exception on its start, and hangs on the next.
bool is_tbb_ready() noexcept;

/// True if the system gives TBB fewer threads than the machine has, as far as is_tbb_ready() saw.
/// Whoever begins more takes them from TBB.
bool are_threads_scarce() noexcept;

/// Threads that work can be spread over where that many are asked for (0: all the machine offers):
/// no more than TBB may have, since it prints a warning where an arena asks for more, and 1 if TBB
/// cannot be had.
std::size_t usable_threads(std::size_t asked) noexcept;

/// Runs jobs 0 … n-1 on that many threads, and waits for them all. What a job throws is thrown.
void run_jobs(std::size_t threads, std::size_t n, const std::function<void(std::size_t)>& job);

/// The number of threads that options ask for. Errors: throws kInvalidArgument if it is not one of
/// 0 to 1024.
std::size_t checked_threads(int threads);

/// How long threads are to stay awake. Errors: throws kInvalidArgument if it is not one of 0 to
/// 1,000,000 microseconds.
std::chrono::microseconds checked_awake(int microseconds);
inline constexpr int kMostAwakeMicroseconds = 1'000'000;

}  // namespace xorloom
