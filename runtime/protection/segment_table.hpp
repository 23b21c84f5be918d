#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/protection/manifest.hpp"

namespace xorloom {

/// Finds the segments that fill a block by the sums of a window.
class SegmentTable {
 public:
  SegmentTable(const Manifest& manifest, const FileMap& map);

  /// Whether any segment may have that rolling sum. Says no to nearly all that have not.
  bool may_have(std::uint64_t rolling) const {
    const std::uint64_t bit = hash(rolling) >> (64 - kFilterBits);
    return (filter_[bit / 64] >> bit % 64 & 1) != 0;
  }

  /// The segments that have that rolling sum, ascending.
  std::span<const std::size_t> with(std::uint64_t rolling) const;

 private:
  static constexpr unsigned kFilterBits = 24;

  static std::uint64_t hash(std::uint64_t rolling) { return rolling * 0x9e3779b97f4a7c15U; }

  std::vector<std::uint64_t> filter_;
  std::vector<std::uint64_t> sums_;  ///< ascending
  std::vector<std::size_t> segments_;
};

}  // namespace xorloom
