#pragma once

namespace xorloom {

/// How a kernel writes: through the caches, or past them, which pays where the stripe does not fit
/// them. Where outputs are not aligned to a vector all stores are ordinary.
enum class Stores { kOrdinary, kNonTemporal };

}  // namespace xorloom
