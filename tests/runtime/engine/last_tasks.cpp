#include "tests/support/sanitizers.hpp"

#ifdef XORLOOM_ADDRESS_SANITIZER

#include <oneapi/tbb/global_control.h>

namespace {

/// Waits until TBB has run the tasks that calls left behind. On a busy machine, some have not begun
/// when the tests end. The search for leaks comes after this, and does not see TBB's memory: it
/// would report what the tasks hold.
struct LastTasks {
  ~LastTasks() {
    oneapi::tbb::task_scheduler_handle threads{oneapi::tbb::attach{}};
    oneapi::tbb::finalize(threads, std::nothrow);
  }
} const last_tasks;

}  // namespace

#endif
