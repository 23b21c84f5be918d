#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {

/// Columns begin … end-1.
struct ColumnRange {
  std::size_t begin;
  std::size_t end;
};

/// The length of blocks that begin at multiples of 64 (so that threads do not write to one cache
/// line of an aligned chunk) and of column_multiple: the smallest that is at least `wanted`.
inline std::size_t block_columns(std::size_t wanted, std::size_t column_multiple) noexcept {
  const bool is_divisor = kLineBytes % column_multiple == 0;  // as it nearly always is
  const std::size_t unit = is_divisor ? kLineBytes : std::lcm(kLineBytes, column_multiple);
  return std::max<std::size_t>(1, wanted / unit + (wanted % unit != 0 ? 1 : 0)) * unit;
}

}  // namespace xorloom
