#include "runtime/threads.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace xorloom {

using oneapi::tbb::global_control;

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

}  // namespace xorloom
