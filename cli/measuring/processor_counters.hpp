#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xorloom::cli {

/// What the last cache was asked for by the threads of this process.
struct CacheCounts {
  std::uint64_t accesses = 0;
  std::uint64_t misses = 0;  ///< lines that came from memory
};

/// The kernel's counters of cache accesses of all threads that there are and that these start
/// later, counting from when this is made.
class ProcessorCounters {
 public:
  ProcessorCounters();
  ~ProcessorCounters();
  ProcessorCounters(const ProcessorCounters&) = delete;
  ProcessorCounters& operator=(const ProcessorCounters&) = delete;

  /// Why there are none, as a sentence; empty if there are.
  const std::string& why_none() const { return why_none_; }

  /// Since it was made; none where there are no counters.
  std::optional<CacheCounts> counts() const;

 private:
  std::vector<std::array<int, 2>> files_;  ///< by thread: accesses, misses
  std::string why_none_;
};

/// Why the kernel does not count the cycles of this process, as a sentence; empty if it does.
std::string why_no_cycle_counter();

}  // namespace xorloom::cli
