#pragma once

#include <cstdint>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace xorloom {

/// Tells the processor that the thread looks at something again and again.
inline void pause_thread() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// One round of waiting for another thread: short rounds to begin with, then the processor is given
/// to whoever wants it, which may be the thread that is waited for.
inline void wait_a_little(std::uint32_t rounds) noexcept {
  constexpr std::uint32_t kShortRounds = 200;
  if (rounds < kShortRounds) {
    pause_thread();
  } else {
    std::this_thread::yield();
  }
}

}  // namespace xorloom
