#include "runtime/machine/threads.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {

using oneapi::tbb::global_control;

namespace {

/// Starts up to `wanted` threads, which end once the last has begun. Returns how many the system
/// has given. Their stacks are as large as those of TBB's threads.
std::size_t try_threads(std::size_t wanted) {
  constexpr std::size_t kStackBytes = std::size_t{4} << 20;
  std::mutex none_ends;
  std::vector<pthread_t> begun;
  begun.reserve(wanted);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return 0;
  pthread_attr_setstacksize(&attributes, kStackBytes);
  {
    const std::lock_guard lock(none_ends);
    const auto wait = [](void* mutex) -> void* {
      const std::lock_guard begin(*static_cast<std::mutex*>(mutex));
      return nullptr;
    };
    pthread_t thread{};
    while (begun.size() < wanted && pthread_create(&thread, &attributes, wait, &none_ends) == 0) {
      begun.push_back(thread);
    }
  }
  for (const pthread_t thread : begun) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return begun.size();
}

/// Opens the library that TBB allocates by, which TBB opens at its start. As it opens another one
/// meanwhile, glibc crashes if that call fails and cannot allocate the error. So an error is made
/// before, in whose place the next one is put. False if memory has run out.
bool open_allocator_of_tbb() {
  constexpr const char* kName = "libtbbmalloc.so.2";
  Dl_info tbb{};
  if (::dladdr(reinterpret_cast<void*>(&TBB_runtime_version), &tbb) == 0) return true;
  const std::string path = (std::filesystem::path(tbb.dli_fname).parent_path() / kName).string();
  static_cast<void>(::dlopen("/dev/null", RTLD_LAZY));
  static_cast<void>(::dlopen(path.c_str(), RTLD_NOW));  // never closed; null if it is missing
  const std::unique_ptr<void, decltype(&std::free)> some(std::malloc(1), &std::free);
  return some != nullptr;
}

/// True if a limit on threads, of the user or of the container, may be near. Counts all threads of
/// the machine, as that takes one call.
bool may_be_refused(std::size_t wanted) {
  constexpr std::size_t kMargin = 64;
  constexpr std::size_t kMostCounted = 60'000;  // the system counts to 65,535
  struct sysinfo system {};
  if (::sysinfo(&system) != 0 || system.procs > kMostCounted) return true;
  const std::size_t enough = system.procs + wanted + kMargin;
  rlimit processes{};
  if (::getrlimit(RLIMIT_NPROC, &processes) != 0 || processes.rlim_cur < enough) return true;
  std::size_t most = 0;
  return (std::ifstream("/sys/fs/cgroup/pids.max") >> most) && most < enough;
}

std::atomic<bool> is_scarce = false;

/// Limits TBB to the threads that the system gives, and leaves some to others: TBB does not survive
/// that a thread cannot be begun. False if TBB would have none.
bool limit_tbb() {
  constexpr std::size_t kOthers = 2;  // a thread that unpacks, and one that shows the progress
  const std::size_t most = global_control::active_value(global_control::max_allowed_parallelism);
  const std::size_t wanted = most - 1 + kOthers;
  const std::size_t tried = may_be_refused(wanted) ? wanted : 1;
  const std::size_t given = try_threads(tried);
  if (given == tried) return true;
  is_scarce = true;
  if (given <= kOthers) return false;
  // Never destroyed: TBB may be gone when the process ends.
  static const auto* const limit =
      new global_control(global_control::max_allowed_parallelism, given - kOthers + 1);
  return limit != nullptr;
}

}  // namespace

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
      if (!open_allocator_of_tbb()) return false;
      oneapi::tbb::task_arena arena;
      arena.initialize();
      return limit_tbb() &&
             global_control::active_value(global_control::max_allowed_parallelism) != 0;
    } catch (...) {
      return false;
    }
  }();
  return is_ready;
}

bool are_threads_scarce() noexcept { return is_scarce; }

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
