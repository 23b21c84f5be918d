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

}  // namespace xorloom
