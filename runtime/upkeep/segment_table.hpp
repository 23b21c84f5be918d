#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "runtime/protection/manifest.hpp"

namespace xorloom {

/// Finds segments that fill a block, by the sums of a window. Of equal segments it has only the
/// first.
class SegmentTable {
 public:
  /// `is_wanted` says of a segment's number whether it is to be found.
  SegmentTable(const Manifest& manifest, const FileMap& map,
               const std::function<bool(std::size_t)>& is_wanted);

  /// True if a segment may have this rolling sum. False for nearly all sums that no segment has.
  bool may_have(std::uint64_t rolling) const {
    const std::uint64_t bit = hash(rolling) >> (64 - kFilterBits);
    return (filter_[bit / 64] >> bit % 64 & 1) != 0;
  }

  /// The segment that equals a window with this rolling sum; nullopt if none does. A sum that was
  /// wrong kMostMisses times is no longer compared: a list of files may be made so that every
  /// window has it.
  std::optional<std::size_t> find(std::uint64_t rolling, std::span<const std::uint8_t> window);

 private:
  static constexpr unsigned kFilterBits = 24;
  static constexpr std::uint32_t kMostMisses = 4096;

  struct Entry {
    SegmentSums sums;
    std::size_t segment;
    std::uint32_t misses = 0;
  };

  static std::uint64_t hash(std::uint64_t rolling) { return rolling * 0x9e3779b97f4a7c15U; }

  std::vector<std::uint64_t> filter_;
  std::vector<Entry> entries_;  ///< by sums, ascending
};

}  // namespace xorloom
