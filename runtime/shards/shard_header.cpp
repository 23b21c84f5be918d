#include "runtime/shards/shard_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <tuple>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"

namespace xorloom {
namespace {

// kMagic tells a shard from text, and shows the damage of transfers as text.
constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'X', 'L', 'S', '\r', '\n', 0x1a, '\n'};
constexpr std::array<std::uint8_t, 4> kEndMagic = {'S', 'L', 'X', 0x89};

enum Offset : std::size_t {
  kVersionAt = 8,
  kHeaderBytesAt = 12,
  kNeededFlagsAt = 16,
  kOptionalFlagsAt = 20,
  kSetAt = 24,
  kGenerationAt = 40,
  kLocationAt = 48,
  kLocationsAt = 52,
  kFileBytesAt = 56,
  kStripeBytesAt = 64,
  kBlockBytesAt = 72,
  kLastBlockBytesAt = 80,
  kSpecBytesAt = 88,
  kExtraBytesAt = 92,
  kSpecAt = 96,
};
/// A needed flag: blocks are checked in pieces; kPiecesBytes behind the spec say how.
constexpr std::uint32_t kInPieces = 1;
/// A needed flag: blocks may be of earlier generations.
constexpr std::uint32_t kIsChanged = 2;
/// A needed flag: the set has a lineage, and frames have stamps.
constexpr std::uint32_t kHasLineage = 4;
constexpr std::uint32_t kKnownFlags = kInPieces | kIsChanged | kHasLineage;
constexpr std::size_t kPiecesBytes = 16;  ///< number, zero, unit
constexpr std::size_t kLeastBytes = kHeaderPrefixBytes + kHeaderSuffixBytes;  // shortest header of
                                                                              // any version
constexpr std::size_t kMostBytes = std::size_t{1} << 21;                      // longest header of
                                                                              // any version

/// Bytes behind the spec: pieces and extra.
std::size_t following_bytes(const ShardHeader& header) {
  return (header.pieces.number == 0 ? 0 : kPiecesBytes) + header.extra.size();
}

std::size_t possible_header_bytes(std::uint32_t bytes) {
  return bytes >= kLeastBytes && bytes <= kMostBytes && bytes % 8 == 0 ? bytes : 0;
}

/// The bytes of the whole file, if they stay within the format's bound.
std::optional<std::uint64_t> total_bytes(const ShardHeader& header) {
  const std::uint64_t full_blocks = std::max<std::uint64_t>(1, num_blocks(header)) - 1;
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(full_blocks, header.block_bytes + frame_bytes(header), &bytes))
    return {};
  if (bytes > kMaxShardFileBytes) return {};
  bytes += 2 * header_bytes(header) + lineage_bytes(header);
  if (header.file_bytes != 0) bytes += header.last_block_bytes + frame_bytes(header);
  if (bytes > kMaxShardFileBytes) return {};
  return bytes;
}

bool is_printable(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

/// Says what is wrong with the pieces; empty: nothing. Precondition: block sizes are within bounds.
std::string contradiction_of_pieces(const ShardHeader& h) {
  const Pieces& pieces = h.pieces;
  if (pieces == Pieces{}) return {};
  if (pieces.number < 2 || pieces.number > kMaxPieces) {
    return fmt::format("pieces = {} is not one of 2 to {}", pieces.number, kMaxPieces);
  }
  if (pieces.unit_bytes > kMaxBlockBytes) {
    return fmt::format("units of pieces of {} bytes exceed {}", pieces.unit_bytes, kMaxBlockBytes);
  }
  const std::uint64_t all = std::max<std::uint64_t>(1, pieces.unit_bytes) * pieces.number;
  if (h.block_bytes % all != 0 || h.last_block_bytes % all != 0) {
    return fmt::format("blocks of {} and {} bytes are not cut evenly into {} pieces in units of {}",
                       h.block_bytes, h.last_block_bytes, pieces.number, pieces.unit_bytes);
  }
  return {};
}

/// Says what is wrong with the numbers of a header; empty: nothing.
std::string contradiction(const ShardHeader& h) {
  if (h.generation == 0) return "generation = 0 is not at least 1";
  if (h.locations == 0 || h.locations > kMaxShardLocations) {
    return fmt::format("locations = {} is not one of 1 to {}", h.locations, kMaxShardLocations);
  }
  if (h.location >= h.locations) {
    return fmt::format("location = {} is not below locations = {}", h.location, h.locations);
  }
  if (h.file_bytes > kMaxShardFileBytes) {
    return fmt::format("file length = {} exceeds {}", h.file_bytes, kMaxShardFileBytes);
  }
  if (h.block_bytes == 0 || h.block_bytes > kMaxBlockBytes) {
    return fmt::format("block size = {} is not one of 1 to {}", h.block_bytes, kMaxBlockBytes);
  }
  if (h.stripe_bytes == 0 || h.stripe_bytes > h.block_bytes * h.locations) {
    return fmt::format("stripe size = {} is not one of 1 to {} x {}", h.stripe_bytes, h.locations,
                       h.block_bytes);
  }
  if (h.last_block_bytes > h.block_bytes || (h.last_block_bytes == 0) != (h.file_bytes == 0)) {
    return fmt::format("the last block has {} of {} bytes, for a file of {}", h.last_block_bytes,
                       h.block_bytes, h.file_bytes);
  }
  if (h.spec.empty() || h.spec.size() > kMaxStoredSpecBytes) {
    return fmt::format("the code spec has {} bytes, not 1 to {}", h.spec.size(),
                       kMaxStoredSpecBytes);
  }
  if (!is_printable(h.spec)) return "the code spec has characters other than printable ASCII";
  if (following_bytes(h) > kMaxShardExtraBytes || h.extra.size() % 8 != 0) {
    return fmt::format("{} more bytes are not a multiple of 8 up to {}", following_bytes(h),
                       kMaxShardExtraBytes);
  }
  if (std::string wrong = contradiction_of_pieces(h); !wrong.empty()) return wrong;
  if (h.lineage && !h.is_changed) return "it has a lineage, and was not changed";
  if (!total_bytes(h)) return fmt::format("the shard exceeds {} bytes", kMaxShardFileBytes);
  return {};
}

HeaderReading damaged(std::string why) {
  return {HeaderReading::Kind::kDamaged, {}, std::move(why)};
}

}  // namespace

std::uint64_t generation_count(const ShardHeader& header) {
  return header.is_changed ? header.generation >> 32 : header.generation;
}

bool came_before(const ShardHeader& earlier, const ShardHeader& later) {
  if (!later.lineage) {
    return !earlier.lineage && generation_count(earlier) < generation_count(later);
  }
  if (later.lineage->has(earlier.generation)) return true;
  // Only the count is known of generations before the lineage began.
  const std::uint64_t base = later.lineage->base;
  return !earlier.lineage && generation_count(earlier) < (base >> 32 == 0 ? base : base >> 32);
}

std::string generation_text(const ShardHeader& header) {
  return header.is_changed ? generation_text(header.generation)
                           : fmt::format("{}", header.generation);
}

std::string generation_text(std::uint64_t generation) {
  if (generation >> 32 == 0) return fmt::format("{}", generation);
  return fmt::format("{}-{:08x}", generation >> 32, generation & 0xffffffff);
}

ShardHeader next_generation(ShardHeader header, std::span<const std::size_t> copies,
                            std::uint64_t count) {
  count = std::max(count, generation_count(header)) + 1;
  if (count >> 32 != 0) {
    fail(Status::kUnsupported,
         fmt::format("generation {} has none above it that a change could have",
                     generation_text(header)));
  }
  header.lineage = next_lineage(header.lineage, header.generation, presence(copies));
  header.is_changed = true;
  header.generation = count << 32 | std::random_device()();
  return header;
}

bool same_set(const ShardHeader& a, const ShardHeader& b) {
  const auto fields = [](const ShardHeader& h) {
    return std::tie(h.set, h.generation, h.locations, h.file_bytes, h.stripe_bytes, h.block_bytes,
                    h.last_block_bytes, h.optional_flags, h.spec, h.pieces.number,
                    h.pieces.unit_bytes, h.is_changed, h.extra);
  };
  return fields(a) == fields(b) && a.lineage.has_value() == b.lineage.has_value();
}

std::size_t header_bytes(const ShardHeader& header) {
  return kSpecAt + padded(header.spec.size()) + following_bytes(header) + kHeaderSuffixBytes;
}

bool pad_header(ShardHeader& header, std::size_t bytes) {
  const std::size_t taken = header_bytes(header);
  if (bytes < taken || following_bytes(header) + (bytes - taken) > kMaxShardExtraBytes)
    return false;
  header.extra.resize(header.extra.size() + (bytes - taken));
  return true;
}

std::size_t frame_bytes(const ShardHeader& header) {
  return kFrameBytes + std::size_t{8} * header.pieces.number;
}

std::uint64_t num_blocks(const ShardHeader& header) {
  return header.file_bytes / header.stripe_bytes +
         (header.file_bytes % header.stripe_bytes != 0 ? 1 : 0);
}

std::uint64_t payload_bytes(const ShardHeader& header, std::uint64_t block) {
  return block + 1 == num_blocks(header) ? header.last_block_bytes : header.block_bytes;
}

std::uint64_t block_offset(const ShardHeader& header, std::uint64_t block) {
  return header_bytes(header) + block * (header.block_bytes + frame_bytes(header));
}

std::uint64_t shard_bytes(const ShardHeader& header) { return total_bytes(header).value_or(0); }

std::size_t lineage_bytes(const ShardHeader& header) { return header.lineage ? kLineageBytes : 0; }

std::uint64_t lineage_offset(const ShardHeader& header) {
  return shard_bytes(header) - header_bytes(header) - lineage_bytes(header);
}

std::uint64_t stripe_file_bytes(const ShardHeader& header, std::uint64_t stripe) {
  return std::min(header.stripe_bytes, header.file_bytes - stripe * header.stripe_bytes);
}

std::vector<std::uint8_t> header_text(const ShardHeader& header) {
  if (const std::string wrong = contradiction(header); !wrong.empty()) {
    fail(Status::kInvalidArgument, "the shard format cannot hold this: " + wrong);
  }
  std::vector<std::uint8_t> bytes(header_bytes(header));
  std::uint8_t* const at = bytes.data();
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::ranges::copy(kMagic, at);
  put(at + kVersionAt, kShardVersion);
  put(at + kHeaderBytesAt, size);
  put(at + kNeededFlagsAt, (header.pieces.number == 0 ? 0 : kInPieces) |
                               (header.is_changed ? kIsChanged : 0) |
                               (header.lineage ? kHasLineage : 0));
  put(at + kOptionalFlagsAt, header.optional_flags);
  std::ranges::copy(header.set.bytes, at + kSetAt);
  put(at + kGenerationAt, header.generation);
  put(at + kLocationAt, header.location);
  put(at + kLocationsAt, header.locations);
  put(at + kFileBytesAt, header.file_bytes);
  put(at + kStripeBytesAt, header.stripe_bytes);
  put(at + kBlockBytesAt, header.block_bytes);
  put(at + kLastBlockBytesAt, header.last_block_bytes);
  put(at + kSpecBytesAt, static_cast<std::uint32_t>(header.spec.size()));
  put(at + kExtraBytesAt, static_cast<std::uint32_t>(following_bytes(header)));
  std::ranges::copy(header.spec, at + kSpecAt);
  std::uint8_t* const end = at + bytes.size();
  std::uint8_t* const following = at + kSpecAt + padded(header.spec.size());
  if (header.pieces.number != 0) {
    put(following, header.pieces.number);
    put(following + 8, header.pieces.unit_bytes);
  }
  std::ranges::copy(header.extra, end - kHeaderSuffixBytes - header.extra.size());
  put(end - kHeaderSuffixBytes, size);
  std::ranges::copy(kEndMagic, end - kChecksumBytes - kEndMagic.size());
  put(end - kChecksumBytes, checksum({at, bytes.size() - kChecksumBytes}));
  return bytes;
}

std::vector<std::uint8_t> tail_text(const ShardHeader& header) {
  std::vector<std::uint8_t> text;
  if (header.lineage) text = lineage_text(*header.lineage, header.set, header.generation);
  const std::vector<std::uint8_t> again = header_text(header);
  text.insert(text.end(), again.begin(), again.end());
  return text;
}

std::size_t bytes_in_prefix(std::span<const std::uint8_t> prefix) {
  if (prefix.size() < kHeaderPrefixBytes || !std::ranges::equal(prefix.first(8), kMagic)) return 0;
  return possible_header_bytes(get<std::uint32_t>(prefix.data() + kHeaderBytesAt));
}

std::size_t bytes_in_suffix(std::span<const std::uint8_t> suffix) {
  if (suffix.size() < kHeaderSuffixBytes) return 0;
  suffix = suffix.last(kHeaderSuffixBytes);
  if (!std::ranges::equal(suffix.subspan(4, 4), kEndMagic)) return 0;
  return possible_header_bytes(get<std::uint32_t>(suffix.data()));
}

HeaderReading read_header(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kMagic.size() || !std::ranges::equal(bytes.first(8), kMagic)) return {};
  const std::size_t size = bytes_in_prefix(bytes);
  if (size == 0 || size != bytes.size() || bytes_in_suffix(bytes) != size) {
    return damaged("its header does not have the length that it states");
  }
  const std::uint8_t* const at = bytes.data();
  const std::size_t covered = size - kChecksumBytes;
  if (get<std::uint64_t>(at + covered) != checksum(bytes.first(covered))) {
    return damaged("its header's checksum is wrong");
  }
  const auto version = get<std::uint32_t>(at + kVersionAt);
  if (version > kShardVersion) {
    return {
        HeaderReading::Kind::kNewer,
        {},
        fmt::format("it has format version {}, and this program knows {}", version, kShardVersion)};
  }
  if (version == 0 || size < kSpecAt + kHeaderSuffixBytes)
    return damaged("its header is too short");
  const auto needed = get<std::uint32_t>(at + kNeededFlagsAt);
  if (const std::uint32_t unknown = needed & ~kKnownFlags; unknown != 0) {
    return {
        HeaderReading::Kind::kNewer,
        {},
        fmt::format("it needs parts of the format (flags {:#x}) that this program does not know",
                    unknown)};
  }
  ShardHeader h;
  std::copy_n(at + kSetAt, SetId::kBytes, h.set.bytes.begin());
  h.generation = get<std::uint64_t>(at + kGenerationAt);
  h.is_changed = (needed & kIsChanged) != 0;
  if ((needed & kHasLineage) != 0) h.lineage.emplace();
  h.location = get<std::uint32_t>(at + kLocationAt);
  h.locations = get<std::uint32_t>(at + kLocationsAt);
  h.file_bytes = get<std::uint64_t>(at + kFileBytesAt);
  h.stripe_bytes = get<std::uint64_t>(at + kStripeBytesAt);
  h.block_bytes = get<std::uint64_t>(at + kBlockBytesAt);
  h.last_block_bytes = get<std::uint64_t>(at + kLastBlockBytesAt);
  h.optional_flags = get<std::uint32_t>(at + kOptionalFlagsAt);
  const std::size_t spec_bytes = get<std::uint32_t>(at + kSpecBytesAt);
  const std::size_t extra_bytes = get<std::uint32_t>(at + kExtraBytesAt);
  if (kSpecAt + padded(spec_bytes) + extra_bytes + kHeaderSuffixBytes != size) {
    return damaged("the parts of its header do not add up to its length");
  }
  const std::uint8_t* extra = at + kSpecAt + padded(spec_bytes);
  const std::uint8_t* const end_of_extra = extra + extra_bytes;
  h.spec.assign(at + kSpecAt, at + kSpecAt + spec_bytes);
  if (std::any_of(at + kSpecAt + spec_bytes, extra, [](std::uint8_t byte) { return byte != 0; })) {
    return damaged("the code spec in its header is not padded with zeros");
  }
  if ((needed & kInPieces) != 0) {
    if (extra_bytes < kPiecesBytes || get<std::uint32_t>(extra + 4) != 0) {
      return damaged("its header does not say how its blocks are cut into pieces");
    }
    h.pieces = {get<std::uint32_t>(extra), get<std::uint64_t>(extra + 8)};
    if (h.pieces.number == 0) return damaged("its header says that blocks have 0 pieces");
    extra += kPiecesBytes;
  }
  h.extra.assign(extra, end_of_extra);
  if (std::string wrong = contradiction(h); !wrong.empty()) {
    return damaged("its header contradicts itself: " + wrong);
  }
  return {HeaderReading::Kind::kWhole, std::move(h), {}};
}

}  // namespace xorloom
