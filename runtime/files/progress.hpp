#pragma once

#include <atomic>
#include <cstdint>

namespace xorloom {

/// How far long work has come. Who does the work writes it, who shows it polls it from another
/// thread.
///
/// A phase is what is being done, as in "encoding"; done and total are bytes of that phase, total 0
/// if that is not known. The phase is text that stays where it is, and is written last when a new
/// one begins. The three are not read as one: for a moment they may be those of two phases.
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
