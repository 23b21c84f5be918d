#include "runtime/protection/compare_file.hpp"

#include <algorithm>
#include <cerrno>
#include <span>
#include <vector>

#include "runtime/files/checksum.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

bool are_zeros(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace

FileComparison compare_file(const Protection& protection, std::size_t file, const OpenFile& with,
                            CompareUp up, std::uint64_t& bytes_read) {
  const FileMap& map = protection.map;
  if (!with.is_open()) return {.error = with.error() == 0 ? -1 : with.error()};
  FileComparison found;
  std::uint64_t equal = 0;
  std::vector<std::uint8_t> buffer;
  const std::size_t first = map.first_segment(file);
  const std::size_t count = map.first_segment(file + 1) - first;
  for (std::size_t i = 0; i < count; ++i) {
    const Segment segment = map.segment(file, first + (count / 2 + i) % count);
    bool is_equal = segment.file_offset + segment.bytes <= with.bytes();
    if (is_equal) {
      buffer.resize(segment.bytes);
      const int code = with.read_at(segment.file_offset, buffer);
      // If the disk fails, the file is damaged, and its other segments may be good.
      const bool is_damaged = code == EIO && up == CompareUp::kToEnd;
      if (code != 0 && !is_damaged) return {.error = code};
      if (is_damaged) std::ranges::fill(buffer, std::uint8_t{0});
      bytes_read += segment.bytes;
      is_equal = !is_damaged && checksum(buffer) == protection.manifest.sums[segment.number].strong;
      found.has_other |= !is_equal;
    }
    if (!is_equal && up == CompareUp::kToDifference) return found;
    if (!is_equal) continue;
    equal += segment.bytes;
    if (up == CompareUp::kToDifference || are_zeros(buffer)) continue;
    found.alike += segment.bytes;
    found.has_block |= segment.bytes == map.block_bytes();
  }
  found.is_equal = equal == map.bytes_of_file(file) && with.bytes() == equal;
  return found;
}

bool has_content_of(const Protection& protection, std::size_t file, const fs::path& path) {
  const OpenFile opened(path);
  std::uint64_t bytes_read = 0;
  return compare_file(protection, file, opened, CompareUp::kToDifference, bytes_read).is_equal;
}

std::uint64_t zero_bytes(const OpenFile& file) {
  constexpr std::size_t kPiece = 64;
  std::vector<std::uint8_t> buffer(std::size_t{1} << 18);
  std::uint64_t zeros = 0;
  for (std::uint64_t at = 0; at < file.bytes(); at += buffer.size()) {
    const auto bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), file.bytes() - at));
    if (file.read_at(at, std::span(buffer).first(bytes)) != 0) return 0;
    for (std::size_t i = 0; i < bytes; i += kPiece) {
      const std::size_t count = std::min(kPiece, bytes - i);
      if (are_zeros(std::span(buffer).subspan(i, count))) zeros += count;
    }
  }
  return zeros;
}

bool may_be_damage_of(const fs::path& whole, const fs::path& damaged, Zeros zeros) {
  const OpenFile good(whole);
  const OpenFile other(damaged);
  if (!good.is_open() || !other.is_open()) return false;
  if (other.bytes() == 0) return zeros == Zeros::kDamage;
  // Small pieces, since one wrong byte is one wrong piece; not so small that files agree by chance.
  const std::uint64_t piece = std::clamp<std::uint64_t>(other.bytes() / 16, 1, 64);
  constexpr std::size_t kPieces = 4096;
  std::vector<std::uint8_t> a(static_cast<std::size_t>(piece) * kPieces);
  std::vector<std::uint8_t> b(a.size());
  std::uint64_t like = 0;
  for (std::uint64_t at = 0; at < other.bytes(); at += a.size()) {
    const auto bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(a.size(), other.bytes() - at));
    const auto there =
        at >= good.bytes()
            ? std::size_t{0}
            : static_cast<std::size_t>(std::min<std::uint64_t>(bytes, good.bytes() - at));
    if (other.read_at(at, std::span(b).first(bytes)) != 0) return false;
    if (good.read_at(at, std::span(a).first(there)) != 0) return false;
    for (std::size_t i = 0; i < bytes; i += piece) {
      const std::size_t count = std::min<std::size_t>(piece, bytes - i);
      const auto text = std::span(b).subspan(i, count);
      const bool is_equal =
          i + count <= there && std::ranges::equal(text, std::span(a).subspan(i, count));
      if (is_equal || (zeros == Zeros::kDamage && are_zeros(text))) like += count;
    }
  }
  return 2 * like >= other.bytes();
}

}  // namespace xorloom
