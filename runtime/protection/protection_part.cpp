#include "runtime/protection/protection_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'X', 'L', 'P', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t kVersion = 2;  // version 1 was in no release
constexpr std::size_t kChecksumAt = kPartHeaderBytes - 8;
constexpr std::uint64_t kMostPartBytes = std::uint64_t{1} << 62;
constexpr std::uint64_t kMostManifestBytes = std::uint64_t{1} << 40;

enum Offset : std::size_t {
  kVersionAt = 8,
  kFlagsAt = 12,
  kIdAt = 16,
  kPartAt = 32,
  kPartsAt = 36,
  kFirstAt = 40,
  kCountAt = 44,
  kManifestBytesAt = 48,
  kManifestChecksumAt = 56,
  kChunkBlocksAt = 64,
  kBlockBytesAt = 72,
  kGenerationAt = 80,
  kEndAt = 88,  ///< zeros from here to the checksum
};

struct ReadHeader {
  enum class Kind { kWhole, kDamaged, kNone } kind = Kind::kNone;
  PartHeader header{};
};

bool has_magic(std::span<const std::uint8_t> bytes) {
  return std::ranges::equal(bytes.first(kMagic.size()), kMagic);
}

/// Parses a header. Errors: throws kUnsupported for another version.
ReadHeader parse_header(std::span<const std::uint8_t, kPartHeaderBytes> bytes,
                        const std::filesystem::path& path) {
  if (!has_magic(bytes)) return {};
  const std::uint8_t* const at = bytes.data();
  if (get<std::uint64_t>(at + kChecksumAt) != checksum(bytes.first(kChecksumAt))) {
    return {ReadHeader::Kind::kDamaged};
  }
  const auto version = get<std::uint32_t>(at + kVersionAt);
  const auto flags = get<std::uint32_t>(at + kFlagsAt);
  if (version != kVersion || flags != 0) {
    fail(Status::kUnsupported,
         fmt::format("{} has version {} of its format and flags {:#x}; this program knows version "
                     "{} without flags",
                     path.string(), version, flags, kVersion));
  }
  PartHeader header;
  std::copy_n(at + kIdAt, SetId::kBytes, header.id.bytes.begin());
  header.part = get<std::uint32_t>(at + kPartAt);
  header.parts = get<std::uint32_t>(at + kPartsAt);
  header.first = get<std::uint32_t>(at + kFirstAt);
  header.count = get<std::uint32_t>(at + kCountAt);
  header.manifest_bytes = get<std::uint64_t>(at + kManifestBytesAt);
  header.manifest_checksum = get<std::uint64_t>(at + kManifestChecksumAt);
  header.chunk_blocks = get<std::uint64_t>(at + kChunkBlocksAt);
  header.block_bytes = get<std::uint64_t>(at + kBlockBytesAt);
  header.generation = get<std::uint64_t>(at + kGenerationAt);
  const bool has_zeros =
      std::all_of(at + kEndAt, at + kChecksumAt, [](std::uint8_t byte) { return byte == 0; });
  // Bounds within which no offset overflows.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  const bool is_sound = has_zeros && header.part < header.parts && header.parts <= 65536 &&
                        header.first < 65536 && header.count <= 65536 &&
                        header.manifest_bytes <= kMostManifestBytes &&
                        header.chunk_blocks < kMost && header.block_bytes < (kMost >> 2) &&
                        header.chunk_blocks * header.block_bytes <= kMostPartBytes >> 17;
  return {is_sound ? ReadHeader::Kind::kWhole : ReadHeader::Kind::kDamaged, header};
}

/// Bytes that a checksum covers before the content: where the content belongs.
std::array<std::uint8_t, 40> place_of(const PartHeader& header, std::uint64_t a,
                                      std::uint64_t b) noexcept {
  std::array<std::uint8_t, 40> place{};
  std::ranges::copy(header.id.bytes, place.begin());
  put(place.data() + 16, header.generation);
  put(place.data() + 24, a);
  put(place.data() + 32, b);
  return place;
}

/// Offsets in a part at which something may be that belongs at `offset`.
std::vector<std::uint64_t> places(const ProtectionPart& part, std::uint64_t offset) {
  std::vector<std::uint64_t> found;
  for (const std::int64_t shift : part.shifts) {
    const std::int64_t shifted = static_cast<std::int64_t>(offset) + shift;
    if (shifted >= 0) found.push_back(static_cast<std::uint64_t>(shifted));
  }
  return found;
}

/// Bytes at either end of a file in which headers are searched for.
constexpr std::uint64_t kSearchedBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMostHeaders = 8;

struct FoundHeader {
  std::uint64_t offset;
  PartHeader header;
};

/// The whole headers near both ends of a file, at any offset.
///
/// Errors: throws kUnsupported for another version.
std::vector<FoundHeader> search_headers(const OpenFile& file, const std::filesystem::path& path) {
  std::vector<FoundHeader> found;
  const std::uint64_t in_front = std::min(file.bytes(), kSearchedBytes);
  const std::uint64_t last = std::max(in_front, file.bytes() - in_front);
  std::vector<std::uint8_t> bytes;
  for (const auto& [begin, end] :
       {std::pair(std::uint64_t{0}, in_front),
        std::pair(std::max<std::uint64_t>(last, kPartHeaderBytes) - kPartHeaderBytes,
                  file.bytes())}) {
    bytes.resize(static_cast<std::size_t>(end - std::min(begin, end)));
    if (bytes.size() < kPartHeaderBytes || file.read_at(begin, bytes) != 0) continue;
    for (auto at = bytes.begin();; ++at) {
      at = std::search(at, bytes.end(), kMagic.begin(), kMagic.end());
      const auto offset = static_cast<std::size_t>(at - bytes.begin());
      if (offset + kPartHeaderBytes > bytes.size() || found.size() == kMostHeaders) break;
      const auto text = std::span<const std::uint8_t>(bytes).subspan(offset);
      const ReadHeader read = parse_header(text.first<kPartHeaderBytes>(), path);
      const std::uint64_t place = begin + offset;
      const bool is_known = !found.empty() && found.back().offset >= place;
      if (read.kind == ReadHeader::Kind::kWhole && !is_known) found.push_back({place, read.header});
    }
  }
  return found;
}

/// 0, and the distances by which the headers that were found are displaced.
std::vector<std::int64_t> shifts_of(const std::vector<FoundHeader>& found,
                                    const PartHeader& header) {
  std::vector<std::int64_t> shifts{0};
  const std::uint64_t end = part_bytes(header) - kPartHeaderBytes;
  for (const FoundHeader& each : found) {
    for (const std::uint64_t belongs : {std::uint64_t{0}, end}) {
      const auto shift = static_cast<std::int64_t>(each.offset - belongs);
      if (each.header == header && std::ranges::find(shifts, shift) == shifts.end()) {
        shifts.push_back(shift);
      }
    }
  }
  return shifts;
}

std::uint64_t page_checksum(const PartHeader& header, std::uint64_t page,
                            std::span<const std::uint8_t> payload) noexcept {
  // No redundant chunk has this number.
  return checksum(place_of(header, ~std::uint64_t{0}, page), payload);
}

}  // namespace

std::vector<std::uint8_t> part_header_text(const PartHeader& header) {
  std::vector<std::uint8_t> text(kPartHeaderBytes);
  std::uint8_t* const at = text.data();
  std::ranges::copy(kMagic, at);
  put(at + kVersionAt, kVersion);
  std::ranges::copy(header.id.bytes, at + kIdAt);
  put(at + kPartAt, header.part);
  put(at + kPartsAt, header.parts);
  put(at + kFirstAt, header.first);
  put(at + kCountAt, header.count);
  put(at + kManifestBytesAt, header.manifest_bytes);
  put(at + kManifestChecksumAt, header.manifest_checksum);
  put(at + kChunkBlocksAt, header.chunk_blocks);
  put(at + kBlockBytesAt, header.block_bytes);
  put(at + kGenerationAt, header.generation);
  put(at + kChecksumAt, checksum({at, kChecksumAt}));
  return text;
}

std::uint64_t manifest_pages(const PartHeader& header) {
  return (header.manifest_bytes + kPagePayloadBytes - 1) / kPagePayloadBytes;
}

std::uint64_t page_offset(const PartHeader& header, int copy, std::uint64_t page) {
  const std::uint64_t first =
      copy == 0 ? kPartHeaderBytes : redundant_block_offset(header, header.count, 0);
  return first + page * kPageBytes;
}

std::uint64_t redundant_block_offset(const PartHeader& header, std::uint64_t chunk,
                                     std::uint64_t block) {
  return kPartHeaderBytes + manifest_pages(header) * kPageBytes +
         (chunk * header.chunk_blocks + block) * (kRedundantFrameBytes + header.block_bytes);
}

std::uint64_t part_bytes(const PartHeader& header) {
  return page_offset(header, 1, manifest_pages(header)) + kPartHeaderBytes;
}

std::vector<std::uint8_t> page_text(const PartHeader& header, std::span<const std::uint8_t> payload,
                                    std::uint64_t page) {
  std::vector<std::uint8_t> bytes(kPageBytes);
  std::ranges::copy(payload, bytes.begin());
  put(bytes.data() + kPagePayloadBytes,
      page_checksum(header, page, std::span(bytes).first(kPagePayloadBytes)));
  return bytes;
}

std::uint64_t redundant_block_checksum(const PartHeader& header, std::uint64_t chunk,
                                       std::uint64_t block,
                                       std::span<const std::uint8_t> payload) noexcept {
  return checksum(place_of(header, header.first + chunk, block), payload);
}

bool looks_like_part(const std::filesystem::path& path) {
  const OpenFile file(path);
  std::array<std::uint8_t, kMagic.size()> magic{};
  if (!file.is_open()) return false;
  if (file.read_at(0, magic) == 0 && has_magic(magic)) return true;
  return file.bytes() >= kPartHeaderBytes &&
         file.read_at(file.bytes() - kPartHeaderBytes, magic) == 0 && has_magic(magic);
}

void share_redundancy(PartHeader& header, std::size_t m) {
  const auto first = static_cast<std::uint32_t>(std::size_t{header.part} * m / header.parts);
  const auto end = static_cast<std::uint32_t>((std::size_t{header.part} + 1) * m / header.parts);
  header.first = first;
  header.count = end - first;
}

bool has_part_header(const std::filesystem::path& path) {
  if (looks_like_part(path)) return true;
  const OpenFile file(path);
  return file.is_open() && !search_headers(file, path).empty();
}

bool ProtectionPart::read_block(std::uint64_t chunk, std::uint64_t block,
                                std::span<std::uint8_t> payload) const {
  const std::uint64_t offset = redundant_block_offset(header, chunk, block);
  return std::ranges::any_of(places(*this, offset), [&](std::uint64_t place) {
    std::array<std::uint8_t, kRedundantFrameBytes> frame{};
    return file.read_at(place, frame, payload) == 0 &&
           get<std::uint64_t>(frame.data()) ==
               redundant_block_checksum(header, chunk, block, payload);
  });
}

std::vector<std::uint8_t> ProtectionPart::read_page(int copy, std::uint64_t page) const {
  std::vector<std::uint8_t> bytes(kPageBytes);
  const auto payload = std::span<const std::uint8_t>(bytes).first(kPagePayloadBytes);
  for (const std::uint64_t place : places(*this, page_offset(header, copy, page))) {
    if (file.read_at(place, bytes) != 0) continue;
    if (get<std::uint64_t>(bytes.data() + kPagePayloadBytes) !=
        page_checksum(header, page, payload)) {
      continue;
    }
    bytes.resize(kPagePayloadBytes);
    return bytes;
  }
  return {};
}

int ProtectionPart::error_of_block(std::uint64_t chunk, std::uint64_t block) const {
  std::vector<std::uint8_t> bytes(kRedundantFrameBytes + header.block_bytes);
  return file.read_at(redundant_block_offset(header, chunk, block), bytes);
}

int ProtectionPart::error_of_page(int copy, std::uint64_t page) const {
  std::array<std::uint8_t, kPageBytes> bytes{};
  return file.read_at(page_offset(header, copy, page), bytes);
}

ProtectionPart open_part(const std::filesystem::path& path) {
  ProtectionPart part{path, open_regular_file(path), {}, {}, {0}};
  std::array<std::uint8_t, kPartHeaderBytes> bytes{};
  ReadHeader first;
  ReadHeader last;
  int error = part.file.read_at(0, bytes);
  if (error == 0) first = parse_header(bytes, path);
  if (part.file.bytes() >= kPartHeaderBytes) {
    const int code = part.file.read_at(part.file.bytes() - kPartHeaderBytes, bytes);
    if (code == 0) last = parse_header(bytes, path);
    error = std::max(error, code);
  }
  const bool are_whole = first.kind == ReadHeader::Kind::kWhole &&
                         last.kind == ReadHeader::Kind::kWhole && first.header == last.header &&
                         part.file.bytes() == part_bytes(first.header);
  if (are_whole) {
    part.header = first.header;
    return part;
  }
  const std::vector<FoundHeader> found = search_headers(part.file, path);
  if (found.empty()) {
    if (error > 0) fail_on_io("read", path, error);
    const bool has_none =
        first.kind == ReadHeader::Kind::kNone && last.kind == ReadHeader::Kind::kNone;
    if (has_none && !looks_like_part(path)) {
      fail(Status::kParse, fmt::format("{} is not a protection file", path.string()));
    }
    fail(Status::kDamaged, fmt::format("both headers of {} are damaged", path.string()));
  }
  part.header = found.front().header;
  const std::uint64_t expected = part_bytes(part.header);
  if (first.kind != ReadHeader::Kind::kWhole) {
    part.defects.emplace_back("the header at its beginning is damaged");
  }
  if (part.file.bytes() != expected) {
    part.defects.push_back(
        fmt::format("it has {} instead of {}", counted(part.file.bytes(), "byte"), expected));
    part.shifts = shifts_of(found, part.header);
  } else if (last.kind != ReadHeader::Kind::kWhole || last.header != part.header) {
    part.defects.emplace_back("the header at its end is damaged");
  }
  if (first.kind != ReadHeader::Kind::kWhole) part.shifts = shifts_of(found, part.header);
  return part;
}

}  // namespace xorloom
