#pragma once

namespace xorloom {

/// Use of the caches by a kernel.
enum class Stores {
  kNear,      ///< through the caches, without prefetches: all of the stripe may be in L2
  kOrdinary,  ///< through the caches
  /// Stores past the caches. They pay if the stripe does not fit the caches. If outputs are not
  /// aligned to a vector, stores are ordinary.
  kNonTemporal,
};

/// Waits until stores past the caches are visible to other cores.
inline void finish_non_temporal_stores() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

}  // namespace xorloom
