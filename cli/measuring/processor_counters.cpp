#include "cli/measuring/processor_counters.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace xorloom::cli {
namespace {

int opened(std::uint64_t event) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = event;
  attributes.inherit = 1;  // threads that start later count, too
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, /*this thread*/ 0,
                                    /*any processor*/ -1,
                                    /*no group*/ -1, PERF_FLAG_FD_CLOEXEC));
}

}  // namespace

ProcessorCounters::ProcessorCounters()
    : files_{opened(PERF_COUNT_HW_CACHE_REFERENCES), opened(PERF_COUNT_HW_CACHE_MISSES)} {
  if (files_[0] >= 0 && files_[1] >= 0) return;
  const int error = errno;
  why_none_ = error == EACCES || error == EPERM
                  ? "the kernel does not allow counting cache accesses "
                    "(kernel.perf_event_paranoid)"
                  : fmt::format("this machine has no counters of cache accesses ({})",
                                std::strerror(error));
}

ProcessorCounters::~ProcessorCounters() {
  for (const int file : files_) {
    if (file >= 0) ::close(file);
  }
}

std::optional<CacheCounts> ProcessorCounters::counts() const {
  if (!why_none_.empty()) return std::nullopt;
  CacheCounts counts;
  const auto read_into = [](int file, std::uint64_t& value) {
    return ::read(file, &value, sizeof value) == sizeof value;
  };
  if (!read_into(files_[0], counts.accesses) || !read_into(files_[1], counts.misses)) {
    return std::nullopt;
  }
  return counts;
}

}  // namespace xorloom::cli
