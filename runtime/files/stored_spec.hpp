#pragma once

#include <cstddef>

namespace xorloom {

/// The longest spec that a file of ours holds, a shard or an atlas. It bounds what reading a header
/// takes.
inline constexpr std::size_t kMaxStoredSpecBytes = std::size_t{1} << 20;

}  // namespace xorloom
