#pragma once

namespace xorloom {

/// How a kernel reads and writes memory.
enum class Stores {
  kNear,  ///< through the caches; nothing is prefetched, as all of the stripe may be in the second
  kOrdinary,  ///< through the caches
  /// Past them, which pays where the stripe does not fit them. Where outputs are not aligned to a
  /// vector stores are ordinary.
  kNonTemporal,
};

}  // namespace xorloom
