#include "runtime/upkeep/segment_table.hpp"

#include <algorithm>
#include <tuple>

#include "runtime/files/checksum.hpp"

namespace xorloom {

SegmentTable::SegmentTable(const Manifest& manifest, const FileMap& map,
                           const std::function<bool(std::size_t)>& is_wanted)
    : filter_((std::uint64_t{1} << kFilterBits) / 64) {
  map.visit_segments(0, map.stream_bytes(), [&](const Segment& segment) {
    if (segment.bytes != manifest.block_bytes || !is_wanted(segment.number)) return;
    entries_.push_back({manifest.sums[segment.number], segment.number});
  });
  std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
    return std::tie(a.sums.rolling, a.sums.strong, a.segment) <
           std::tie(b.sums.rolling, b.sums.strong, b.segment);
  });
  const auto is_equal = [](const Entry& a, const Entry& b) { return a.sums == b.sums; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), is_equal), entries_.end());
  for (const Entry& entry : entries_) {
    const std::uint64_t bit = hash(entry.sums.rolling) >> (64 - kFilterBits);
    filter_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
}

std::optional<std::size_t> SegmentTable::find(std::uint64_t rolling,
                                              std::span<const std::uint8_t> window) {
  const auto first = std::ranges::lower_bound(
      entries_, rolling, {}, [](const Entry& entry) { return entry.sums.rolling; });
  std::optional<std::uint64_t> strong;
  for (auto entry = first; entry != entries_.end() && entry->sums.rolling == rolling; ++entry) {
    if (entry->misses == kMostMisses) continue;
    if (!strong) strong = checksum(window);
    if (entry->sums.strong == *strong) return entry->segment;
    ++entry->misses;
  }
  return std::nullopt;
}

}  // namespace xorloom
