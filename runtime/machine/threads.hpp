#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace xorloom {

/// Starts TBB up, once in a process. False if that failed, or if the system has no second thread;
/// then it is not tried again: TBB does not survive an exception on its start, and hangs on the
/// next.
bool is_tbb_ready() noexcept;

/// True if the system gives TBB fewer threads than the machine has, as far as is_tbb_ready() saw.
/// Then any thread that is begun is one less for TBB.
bool are_threads_scarce() noexcept;

/// Threads to spread work over if `asked` are asked for (0: all that the machine offers). At most
/// what TBB may have, since it prints a warning if an arena asks for more. 1 if TBB cannot be had.
std::size_t usable_threads(std::size_t asked) noexcept;

/// Runs jobs 0 … n-1 on `threads` threads, and waits for all of them. Throws what a job throws.
void run_jobs(std::size_t threads, std::size_t n, const std::function<void(std::size_t)>& job);

/// The number of threads that options ask for. Errors: throws kInvalidArgument if it is not one of
/// 0 to 1024.
std::size_t checked_threads(int threads);

/// Time for which threads stay awake. Errors: throws kInvalidArgument if it is not one of 0 to
/// 1,000,000 microseconds.
std::chrono::microseconds checked_awake(int microseconds);
inline constexpr int kMostAwakeMicroseconds = 1'000'000;

}  // namespace xorloom
