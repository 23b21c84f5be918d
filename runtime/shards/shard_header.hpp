#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/files/stored_spec.hpp"
#include "runtime/shards/lineage.hpp"
#include "runtime/shards/set_id.hpp"

namespace xorloom {

// A shard is the file that holds one location's chunks of an encoded file:
//
//   | header | block 0 | block 1 | … | last block | lineage | header again |
//   0        H                                              ^ shard_bytes - H
//
// H = header_bytes. A set that was never changed in place has no lineage. Block b is the location's
// chunk of stripe b behind a frame; see runtime/shards/shard_block.hpp. Every byte is specified in
// docs/shard-format.md.

/// The format this version reads and writes.
inline constexpr std::uint32_t kShardVersion = 1;

/// Bytes of a frame without pieces: checksum and generation, 8 bytes each. Each piece adds a
/// checksum of 8 bytes; see frame_bytes.
inline constexpr std::size_t kFrameBytes = 16;

/// Bounds of the format, so that no header makes a reader ask for absurd amounts of anything. The
/// bound of the spec is kMaxStoredSpecBytes.
inline constexpr std::size_t kMaxShardExtraBytes = std::size_t{1} << 16;
inline constexpr std::uint32_t kMaxShardLocations = 65'536;
inline constexpr std::uint32_t kMaxPieces = 65'536;
inline constexpr std::uint64_t kMaxBlockBytes = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kMaxShardFileBytes = std::uint64_t{1} << 62;

/// Division of blocks into pieces with checksums of their own, so that parts can be read alone; see
/// runtime/shards/shard_pieces.hpp. Default: no pieces, a block has one checksum.
struct Pieces {
  std::uint32_t number = 0;      ///< pieces of a block, 2 to kMaxPieces; 0: not in pieces
  std::uint64_t unit_bytes = 0;  ///< 0: a piece is contiguous; else bytes of the units in which
                                 ///< pieces alternate

  bool operator==(const Pieces&) const = default;
};

/// The header of a shard. All but `location` is equal in all shards of a set.
struct ShardHeader {
  SetId set;
  std::uint64_t generation = 1;        ///< from 1; see generation_count
  std::uint32_t location = 0;          ///< below locations
  std::uint32_t locations = 0;         ///< n
  std::uint64_t file_bytes = 0;        ///< length of the file that was encoded
  std::uint64_t stripe_bytes = 0;      ///< bytes of the file in each stripe but the last
  std::uint64_t block_bytes = 0;       ///< payload of each block but the last
  std::uint64_t last_block_bytes = 0;  ///< payload of the last block; 0 if the file is empty
  std::string spec;                    ///< canonical
  Pieces pieces;
  /// The file was changed in place: blocks may be of earlier generations than the header's.
  bool is_changed = false;
  /// Set if changes of the set tell lost writes. A header alone says only that there is a lineage:
  /// then is_known() is false.
  std::optional<Lineage> lineage = {};
  /// Parts of the format that a reader may pass over; kept so that repair writes them again.
  std::uint32_t optional_flags = 0;
  std::vector<std::uint8_t> extra;  ///< multiple of 8 bytes

  bool operator==(const ShardHeader&) const = default;
};

/// The number that orders generations: of several sets the highest is chosen. In a set that was
/// changed in place, it is the upper 32 bits of the generation. The lower 32 are random: they tell
/// two changes apart that were made separately, each to a part of the shards.
std::uint64_t generation_count(const ShardHeader& header);

/// "3", or "3-0badcafe" of a set that was changed in place.
std::string generation_text(const ShardHeader& header);
std::string generation_text(std::uint64_t generation);

/// The header that a change in place gives a set, before its sizes change.
///
/// Shape:  `copies` has the number of shards that take part, by location. The new generation's
///         count is above that of `header`, and above `count`.
/// Errors: throws kUnsupported if there is no higher generation.
ShardHeader next_generation(ShardHeader header, std::span<const std::size_t> copies,
                            std::uint64_t count = 0);

/// True if generation `earlier` of a set came before `later`, so that `later` has all its changes.
/// If no lineage tells, the lower count came before.
bool came_before(const ShardHeader& earlier, const ShardHeader& later);

/// True if two headers are equal in all but the location and the content of the lineage.
bool same_set(const ShardHeader& a, const ShardHeader& b);

/// H: bytes of the header, a multiple of 8.
std::size_t header_bytes(const ShardHeader& header);

/// Pads `header` to `bytes` bytes, a multiple of 8, with zeros at its end that readers pass over.
/// Returns false and changes nothing if the header is longer, or the format's bound is exceeded.
[[nodiscard]] bool pad_header(ShardHeader& header, std::size_t bytes);

/// Bytes of the frame of a block.
std::size_t frame_bytes(const ShardHeader& header);

/// Blocks of each shard: one for each stripe of the file.
std::uint64_t num_blocks(const ShardHeader& header);

/// Payload bytes of a block, offset of a block in its shard, and length of a shard.
std::uint64_t payload_bytes(const ShardHeader& header, std::uint64_t block);
std::uint64_t block_offset(const ShardHeader& header, std::uint64_t block);
std::uint64_t shard_bytes(const ShardHeader& header);

/// Offset of the lineage in its shard, and its length; 0 bytes if there is none.
std::uint64_t lineage_offset(const ShardHeader& header);
std::size_t lineage_bytes(const ShardHeader& header);

/// Bytes of the file that lie in a stripe.
std::uint64_t stripe_file_bytes(const ShardHeader& header, std::uint64_t stripe);

/// The header as it stands in a shard.
///
/// Errors: throws kInvalidArgument if the spec or anything else exceeds the format's bounds.
std::vector<std::uint8_t> header_text(const ShardHeader& header);

/// The bytes behind the last block: lineage, if any, and header. Precondition: the lineage is
/// known.
std::vector<std::uint8_t> tail_text(const ShardHeader& header);

/// Result of read_header().
struct HeaderReading {
  enum class Kind {
    kOther,    ///< no shard
    kDamaged,  ///< begins like a shard, but does not hold together
    kNewer,    ///< whole, of a version or with a needed part that this one does not know
    kWhole,    ///< a header of this version
  };
  Kind kind = Kind::kOther;
  ShardHeader header;  ///< if whole
  std::string why;     ///< if damaged or newer: what is the matter
};

/// Bytes of a header, taken from its first kHeaderPrefixBytes or its last kHeaderSuffixBytes; 0 if
/// these are no part of a header. Not verified yet: read_header does that.
inline constexpr std::size_t kHeaderPrefixBytes = 16;
inline constexpr std::size_t kHeaderSuffixBytes = 16;
std::size_t bytes_in_prefix(std::span<const std::uint8_t> prefix);
std::size_t bytes_in_suffix(std::span<const std::uint8_t> suffix);

/// Reads a header, which must take all of `bytes`.
HeaderReading read_header(std::span<const std::uint8_t> bytes);

}  // namespace xorloom
