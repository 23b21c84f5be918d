#pragma once

#include <cstddef>

namespace xorloom {

/// Bytes of the longest spec that a shard or an atlas holds. Bounds what reading a header takes.
inline constexpr std::size_t kMaxStoredSpecBytes = std::size_t{1} << 20;

}  // namespace xorloom
