#include "runtime/upkeep/scan_files.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>

#include "runtime/protection/rolling_sum.hpp"
#include "runtime/upkeep/segment_table.hpp"

namespace xorloom {
namespace {

/// Bytes of a file that are searched at once.
constexpr std::size_t kWindowBytes = std::size_t{1} << 22;

class Scanner {
 public:
  Scanner(const Manifest& manifest, const FileMap& map, LookUp look_up, SourceReader& reader,
          FoundSegments& found, Progress& progress)
      : block_(static_cast<std::size_t>(manifest.block_bytes)),
        table_(manifest, map,
               [&](std::size_t segment) {
                 return look_up == LookUp::kAll || !found.places[segment].is_found();
               }),
        reader_(reader),
        found_(found),
        progress_(progress),
        window_(kWindowBytes + block_) {}

  void scan(std::uint32_t source) {
    const OpenFile& file = reader_.open(source);
    if (!file.is_open()) return;
    std::uint64_t skip_to = 0;
    for (std::uint64_t begin = 0; begin + block_ <= file.bytes(); begin += kWindowBytes) {
      const auto count = static_cast<std::size_t>(
          std::min<std::uint64_t>(kWindowBytes + block_, file.bytes() - begin));
      progress_.done += std::min(count, kWindowBytes);
      const std::span<const std::uint8_t> bytes(window_.data(), count);
      if (file.read_at(begin, std::span(window_).first(count)) != 0)
        read_pieces(file, begin, count);
      found_.bytes_read += count;
      std::size_t at = skip_to > begin ? static_cast<std::size_t>(skip_to - begin) : 0;
      at = scan_window(source, bytes, begin, at);
      skip_to = begin + at;
    }
  }

 private:
  /// Reads a window piece by piece if the disk fails in it: the other pieces may be good.
  void read_pieces(const OpenFile& file, std::uint64_t begin, std::size_t count) {
    constexpr std::size_t kPiece = 4096;
    for (std::size_t at = 0; at < count; at += kPiece) {
      const auto piece = std::span(window_).subspan(at, std::min(kPiece, count - at));
      if (file.read_at(begin + at, piece) != 0) std::ranges::fill(piece, std::uint8_t{0});
    }
  }

  /// Searches a window from `at` on. Returns where to go on: behind the last segment that was
  /// found.
  std::size_t scan_window(std::uint32_t source, std::span<const std::uint8_t> bytes,
                          std::uint64_t begin, std::size_t at) {
    while (at + block_ <= bytes.size()) {
      RollingSum sum(bytes.subspan(at, block_));
      for (;; ++at) {
        if (table_.may_have(sum.value()) &&
            take_segment(source, begin + at, bytes.subspan(at, block_), sum.value())) {
          at += block_;
          break;
        }
        if (at + block_ == bytes.size()) return at + 1;
        sum.move(bytes[at], bytes[at + block_]);
      }
    }
    return at;
  }

  /// True if a window is a segment; then notes where that was found.
  bool take_segment(std::uint32_t source, std::uint64_t offset,
                    std::span<const std::uint8_t> window, std::uint64_t rolling) {
    const std::optional<std::size_t> segment = table_.find(rolling, window);
    if (!segment) return false;
    SegmentPlace& place = found_.places[*segment];
    if (!place.is_found()) place = {source, offset};
    return true;
  }

  std::size_t block_;
  SegmentTable table_;
  SourceReader& reader_;
  FoundSegments& found_;
  Progress& progress_;
  std::vector<std::uint8_t> window_;
};

/// Looks for the segments of a file beside their neighbours, and at the ends of the file.
struct Beside {
  const Manifest& manifest;
  const FileMap& map;
  SourceReader& reader;
  FoundSegments& found;
  std::size_t first;  ///< segment of the file
  std::size_t end;    ///< behind its last one
  std::span<std::uint8_t> buffer;

  void try_places(const Segment& segment) {
    SegmentPlace& place = found.places[segment.number];
    if (place.is_found()) return;
    const auto attempt = [&](std::uint32_t source, std::uint64_t offset) {
      if (place.is_found()) return;
      const std::uint64_t strong = manifest.sums[segment.number].strong;
      if (reader.read({source, offset}, buffer.first(segment.bytes), strong))
        place = {source, offset};
    };
    if (segment.number > first) {
      const SegmentPlace& before = found.places[segment.number - 1];
      const std::size_t bytes = map.segment(segment.file, segment.number - 1).bytes;
      if (before.is_found()) attempt(before.source, before.offset + bytes);
    }
    if (segment.number + 1 < end) {
      const SegmentPlace& after = found.places[segment.number + 1];
      if (after.is_found() && after.offset >= segment.bytes) {
        attempt(after.source, after.offset - segment.bytes);
      }
    }
    const FileState& state = found.files[segment.file];
    const bool is_there = state.kind != FileState::Kind::kMissing &&
                          state.kind != FileState::Kind::kMoved &&
                          state.source != SegmentPlace::kLost;
    if (!is_there) return;
    const bool is_end = segment.number + 1 == end;
    if (segment.number == first) attempt(state.source, 0);
    if (is_end && state.bytes >= segment.bytes) attempt(state.source, state.bytes - segment.bytes);
  }
};

}  // namespace

void scan_files(const Manifest& manifest, const FileMap& map,
                const std::vector<std::uint32_t>& scanned, LookUp look_up, SourceReader& reader,
                FoundSegments& found, Progress& progress) {
  std::uint64_t bytes = 0;
  for (const std::uint32_t source : scanned) bytes += found.sources[source].bytes;
  progress.begin("searching", bytes);
  Scanner scanner(manifest, map, look_up, reader, found, progress);
  for (const std::uint32_t source : scanned) scanner.scan(source);
}

void look_beside(const Manifest& manifest, const FileMap& map, SourceReader& reader,
                 FoundSegments& found) {
  std::vector<std::uint8_t> buffer(manifest.block_bytes);
  for (std::size_t file = 0; file < map.num_files(); ++file) {
    Beside beside{
        manifest, map, reader, found, map.first_segment(file), map.first_segment(file + 1), buffer};
    for (std::size_t number = beside.first; number < beside.end; ++number) {
      beside.try_places(map.segment(file, number));
    }
    for (std::size_t number = beside.end; number-- > beside.first;) {
      beside.try_places(map.segment(file, number));
    }
  }
}

void take_equal(const Manifest& manifest, const FileMap& map, FoundSegments& found) {
  std::unordered_map<std::uint64_t, Segment> by_sum;
  map.visit_segments(0, map.stream_bytes(), [&](const Segment& segment) {
    if (!found.places[segment.number].is_found()) return;
    by_sum.emplace(manifest.sums[segment.number].strong, segment);
  });
  map.visit_segments(0, map.stream_bytes(), [&](const Segment& segment) {
    SegmentPlace& place = found.places[segment.number];
    if (place.is_found()) return;
    const auto equal = by_sum.find(manifest.sums[segment.number].strong);
    if (equal == by_sum.end() || equal->second.bytes != segment.bytes) return;
    place = found.places[equal->second.number];
  });
}

void count_found(const FileMap& map, FoundSegments& found) {
  for (std::size_t file = 0; file < map.num_files(); ++file) {
    const auto begin = found.places.begin() + static_cast<std::ptrdiff_t>(map.first_segment(file));
    const auto end =
        found.places.begin() + static_cast<std::ptrdiff_t>(map.first_segment(file + 1));
    found.files[file].found =
        static_cast<std::size_t>(std::count_if(begin, end, std::mem_fn(&SegmentPlace::is_found)));
  }
}

bool search_all(const Manifest& manifest, const FileMap& map, FoundSegments& found,
                Progress& progress) {
  const auto num_missing = [&] {
    return std::ranges::count_if(found.places, std::not_fn(&SegmentPlace::is_found));
  };
  const auto before = num_missing();
  std::vector<std::uint32_t> all(found.sources.size());
  std::iota(all.begin(), all.end(), std::uint32_t{0});
  SourceReader reader(found.sources);
  scan_files(manifest, map, all, LookUp::kMissing, reader, found, progress);
  look_beside(manifest, map, reader, found);
  take_equal(manifest, map, found);
  count_found(map, found);
  return num_missing() < before;
}

}  // namespace xorloom
