#include "cli/measuring/processor_counters.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "runtime/files/directory_listing.hpp"

namespace xorloom::cli {
namespace {

int opened(pid_t thread, std::uint64_t event) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = event;
  attributes.inherit = 1;  // threads started later count, too
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, thread,
                                    /*any processor*/ -1, /*no group*/ -1, PERF_FLAG_FD_CLOEXEC));
}

/// Reads a counter and scales it to all of the time. The kernel multiplexes if there are more
/// events than counters.
std::optional<std::uint64_t> count_of(int file) {
  struct {
    std::uint64_t value, enabled, running;
  } read_out{};
  if (::read(file, &read_out, sizeof read_out) != sizeof read_out) return std::nullopt;
  if (read_out.running == 0) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(read_out.value) *
                                    static_cast<double>(read_out.enabled) /
                                    static_cast<double>(read_out.running));
}

/// Explains why events cannot be counted, by the error of the system.
std::string why_not(const char* what, int error) {
  if (error == EACCES || error == EPERM) {
    return fmt::format("the kernel does not allow counting {} (kernel.perf_event_paranoid)", what);
  }
  if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP) {
    return fmt::format("this machine has no counters of {}", what);
  }
  return fmt::format("counters of {} cannot be opened ({})", what, std::strerror(error));
}

}  // namespace

ProcessorCounters::ProcessorCounters() {
  std::error_code ignored;
  for (const std::string& task : names_in("/proc/self/task", ignored)) {
    const auto thread = static_cast<pid_t>(std::atoi(task.c_str()));
    const int accesses = opened(thread, PERF_COUNT_HW_CACHE_REFERENCES);
    const int error = errno;
    const int misses = accesses < 0 ? -1 : opened(thread, PERF_COUNT_HW_CACHE_MISSES);
    files_.push_back({accesses, misses});
    if (misses >= 0) continue;
    const int why = accesses < 0 ? error : errno;
    why_none_ = why_not("cache accesses", why);
    return;
  }
  if (files_.empty()) why_none_ = "/proc/self/task does not list the threads of this process";
}

ProcessorCounters::~ProcessorCounters() {
  for (const auto& files : files_) {
    for (const int file : files) {
      if (file >= 0) ::close(file);
    }
  }
}

std::optional<CacheCounts> ProcessorCounters::counts() const {
  if (!why_none_.empty()) return std::nullopt;
  CacheCounts counts;
  for (const auto& [accesses, misses] : files_) {
    const auto asked = count_of(accesses);
    const auto missed = count_of(misses);
    if (!asked || !missed) return std::nullopt;
    counts.accesses += *asked;
    counts.misses += *missed;
  }
  return counts;
}

std::string why_no_cycle_counter() {
  const int file = opened(/*this thread*/ 0, PERF_COUNT_HW_CPU_CYCLES);
  if (file < 0) return why_not("cycles", errno);
  ::close(file);
  return "";
}

}  // namespace xorloom::cli
