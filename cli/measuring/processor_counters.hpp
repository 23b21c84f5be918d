#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xorloom::cli {

/// Accesses to the last-level cache by the threads of this process.
struct CacheCounts {
  std::uint64_t accesses = 0;
  std::uint64_t misses = 0;  ///< lines that came from memory
};

/// The kernel's counters of cache accesses, from construction on, of all present threads and those
/// that they start later.
class ProcessorCounters {
 public:
  ProcessorCounters();
  ~ProcessorCounters();
  ProcessorCounters(const ProcessorCounters&) = delete;
  ProcessorCounters& operator=(const ProcessorCounters&) = delete;

  /// Why nothing is counted, as a sentence; "" if it is.
  const std::string& why_none() const { return why_none_; }

  /// Counts since construction; nullopt if nothing is counted.
  std::optional<CacheCounts> counts() const;

 private:
  std::vector<std::array<int, 2>> files_;  ///< descriptors of each thread: accesses, misses
  std::string why_none_;
};

/// Why the kernel does not count cycles for this process, as a sentence; "" if it does.
std::string why_no_cycle_counter();

}  // namespace xorloom::cli
