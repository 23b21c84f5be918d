#include "runtime/upkeep/scan_files.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "runtime/protection/rolling_sum.hpp"
#include "runtime/upkeep/segment_table.hpp"

namespace xorloom {
namespace {

/// Bytes of a file that are searched at once.
constexpr std::size_t kWindowBytes = std::size_t{1} << 22;

class Scanner {
 public:
  Scanner(const Manifest& manifest, const FileMap& map, SourceReader& reader, FoundSegments& found,
          Progress& progress)
      : block_(static_cast<std::size_t>(manifest.block_bytes)),
        table_(manifest, map),
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

}  // namespace

void scan_files(const Manifest& manifest, const FileMap& map,
                const std::vector<std::uint32_t>& scanned, SourceReader& reader,
                FoundSegments& found, Progress& progress) {
  std::uint64_t bytes = 0;
  for (const std::uint32_t source : scanned) bytes += found.sources[source].bytes;
  progress.begin("searching", bytes);
  Scanner scanner(manifest, map, reader, found, progress);
  for (const std::uint32_t source : scanned) scanner.scan(source);
}

}  // namespace xorloom
