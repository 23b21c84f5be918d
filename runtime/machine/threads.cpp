#include "runtime/machine/threads.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

#include "codes/text/error.hpp"

namespace xorloom {

using oneapi::tbb::global_control;

std::size_t checked_threads(int threads) {
  constexpr int kMaxThreads = 1024;
  if (threads < 0 || threads > kMaxThreads) {
    fail(Status::kInvalidArgument,
         fmt::format("threads = {} is not one of 0 to {}", threads, kMaxThreads));
  }
  return static_cast<std::size_t>(threads);
}

std::chrono::microseconds checked_awake(int microseconds) {
  if (microseconds < 0 || microseconds > kMostAwakeMicroseconds) {
    fail(Status::kInvalidArgument, fmt::format("awake_microseconds = {} is not one of 0 to {}",
                                               microseconds, kMostAwakeMicroseconds));
  }
  return std::chrono::microseconds(microseconds);
}

bool is_tbb_ready() noexcept {
  static const bool is_ready = []() noexcept {
    try {
      oneapi::tbb::task_arena arena;
      arena.initialize();
      return global_control::active_value(global_control::max_allowed_parallelism) != 0;
    } catch (...) {
      return false;
    }
  }();
  return is_ready;
}

std::size_t usable_threads(std::size_t asked) noexcept {
  if (asked == 1 || !is_tbb_ready()) return 1;
  const std::size_t wanted =
      asked != 0 ? asked
                 : static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency());
  return std::min(wanted, global_control::active_value(global_control::max_allowed_parallelism));
}

void run_jobs(std::size_t threads, std::size_t n, const std::function<void(std::size_t)>& job) {
  if (threads < 2 || n < 2 || !is_tbb_ready()) {
    for (std::size_t i = 0; i < n; ++i) job(i);
    return;
  }
  oneapi::tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    oneapi::tbb::parallel_for(std::size_t{0}, n, job, oneapi::tbb::simple_partitioner{});
  });
}

}  // namespace xorloom
