#include "runtime/protection/segment_table.hpp"

#include <algorithm>

namespace xorloom {

SegmentTable::SegmentTable(const Manifest& manifest, const FileMap& map)
    : filter_((std::uint64_t{1} << kFilterBits) / 64) {
  map.visit_segments(0, map.stream_bytes(), [&](const Segment& segment) {
    if (segment.bytes == manifest.block_bytes) segments_.push_back(segment.number);
  });
  std::ranges::stable_sort(segments_, {},
                           [&](std::size_t segment) { return manifest.sums[segment].rolling; });
  for (const std::size_t segment : segments_) {
    const std::uint64_t rolling = manifest.sums[segment].rolling;
    sums_.push_back(rolling);
    const std::uint64_t bit = hash(rolling) >> (64 - kFilterBits);
    filter_[bit / 64] |= std::uint64_t{1} << bit % 64;
  }
}

std::span<const std::size_t> SegmentTable::with(std::uint64_t rolling) const {
  const auto [begin, end] = std::equal_range(sums_.begin(), sums_.end(), rolling);
  return std::span(segments_).subspan(static_cast<std::size_t>(begin - sums_.begin()),
                                      static_cast<std::size_t>(end - begin));
}

}  // namespace xorloom
