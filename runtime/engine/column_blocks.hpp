#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <numeric>
#include <optional>

namespace xorloom {

struct ColumnRange {
  std::size_t begin;
  std::size_t end;
};

/// The columns of one run, cut into blocks that are handed out once each:
///
///   0         block     2·block          columns
///   | block 0 | block 1 | block 2 | last |
///
/// Threads that work on one stripe share this and nothing else that changes, so a thread that comes
/// late or is slow takes fewer blocks and none waits for it.
class ColumnBlocks {
 public:
  /// Shape: block_columns is at least 1.
  ColumnBlocks(std::size_t columns, std::size_t block_columns) noexcept
      : ColumnBlocks(ColumnRange{0, columns}, block_columns) {}

  /// Those of a part of the columns.
  ColumnBlocks(ColumnRange range, std::size_t block_columns) noexcept
      : range_(range),
        block_columns_(block_columns),
        count_((range.end - range.begin) / block_columns +
               ((range.end - range.begin) % block_columns != 0 ? 1 : 0)) {}

  std::size_t count() const noexcept { return count_; }
  std::size_t block_columns() const noexcept { return block_columns_; }

  /// Whether every block has been taken.
  bool are_taken() const noexcept { return next_.load(std::memory_order_relaxed) >= count_; }

  /// The next block that no thread has taken, or none. Blocks are independent, so taking one orders
  /// nothing: what a thread wrote becomes visible where the threads are joined.
  std::optional<ColumnRange> take() noexcept {
    const std::size_t block = next_.fetch_add(1, std::memory_order_relaxed);
    if (block >= count_) return std::nullopt;
    const std::size_t begin = range_.begin + block * block_columns_;
    return ColumnRange{begin,
                       range_.end - begin < block_columns_ ? range_.end : begin + block_columns_};
  }

 private:
  ColumnRange range_;
  std::size_t block_columns_;
  std::size_t count_;
  std::atomic<std::size_t> next_{0};
};

/// The length of blocks that begin at multiples of 64 (so that threads do not write to one cache
/// line of an aligned chunk) and of column_multiple: the smallest that is at least `wanted`.
inline std::size_t block_columns(std::size_t wanted, std::size_t column_multiple) noexcept {
  constexpr std::size_t kCacheLine = 64;
  const bool is_divisor = kCacheLine % column_multiple == 0;  // as it nearly always is
  const std::size_t unit = is_divisor ? kCacheLine : std::lcm(kCacheLine, column_multiple);
  return std::max<std::size_t>(1, wanted / unit + (wanted % unit != 0 ? 1 : 0)) * unit;
}

}  // namespace xorloom
