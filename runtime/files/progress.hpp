#pragma once

#include <atomic>
#include <cstdint>

namespace xorloom {

/// Progress of long work. One thread does the work and writes this; another polls and shows it.
///
/// `phase` says what is being done, as in "encoding"; its text is never freed. `done` and `total`
/// are bytes of that phase; total 0: not known. A new phase is written last. The three are not read
/// together: for a moment they may belong to two phases.
struct Progress {
  std::atomic<const char*> phase{""};
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};

  void begin(const char* next_phase, std::uint64_t total_bytes = 0) noexcept {
    done = 0;
    total = total_bytes;
    phase = next_phase;
  }
};

}  // namespace xorloom
