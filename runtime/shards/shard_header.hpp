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

// A shard is the file that holds what one location has of a file that was encoded:
//
//   | header | block 0 | block 1 | … | last block | lineage | header again |
//   0        H                                              ^ shard_bytes - H
//
// H = header_bytes. A set that was never changed in place has no lineage. Block b is the location's
// chunk of stripe b behind a frame; see runtime/shards/shard_block.hpp. Every byte is specified in
// docs/shard-format.md.

/// The format this version reads and writes.
inline constexpr std::uint32_t kShardVersion = 1;

/// A block begins with a frame: its checksum and its generation, 8 bytes each, and as many for each
/// piece if it is checked in pieces; see frame_bytes.
inline constexpr std::size_t kFrameBytes = 16;

/// Bounds of the format, so that no header makes a reader ask for absurd amounts of anything. That
/// of the spec is kMaxStoredSpecBytes.
inline constexpr std::size_t kMaxShardExtraBytes = std::size_t{1} << 16;
inline constexpr std::uint32_t kMaxShardLocations = 65'536;
inline constexpr std::uint32_t kMaxPieces = 65'536;
inline constexpr std::uint64_t kMaxBlockBytes = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kMaxShardFileBytes = std::uint64_t{1} << 62;

/// How blocks are checked in pieces, so that parts of them can be read alone; see
/// runtime/shards/shard_pieces.hpp. By default they are not: each has one checksum.
struct Pieces {
  std::uint32_t number = 0;      ///< of a block: 2 to kMaxPieces, or 0 for none
  std::uint64_t unit_bytes = 0;  ///< 0: a piece is contiguous; else the pieces take turns in units

  bool operator==(const Pieces&) const = default;
};

/// What a shard says of itself. All but the location is the same in every shard of a set.
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
  /// Of a set whose changes tell lost writes. What a header alone says is that there is one: it is
  /// not known then.
  std::optional<Lineage> lineage = {};
  /// Parts of the format that a reader may pass over; kept so that repair gives them back.
  std::uint32_t optional_flags = 0;
  std::vector<std::uint8_t> extra;  ///< multiple of 8 bytes

  bool operator==(const ShardHeader&) const = default;
};

/// What generations are compared by: of several sets the highest is meant. In a set that was
/// changed in place the upper 32 bits of a generation count. The lower ones are random, so that two
/// changes made apart, each to a part of the shards, are told from each other.
std::uint64_t generation_count(const ShardHeader& header);

/// "3", or "3-0badcafe" of a set that was changed in place.
std::string generation_text(const ShardHeader& header);
std::string generation_text(std::uint64_t generation);

/// The header that a change in place gives a set, before its sizes change.
///
/// Shape:  copies has the number of shards that take part, by location. The count of the generation
///         is above `count`, too.
/// Errors: throws kUnsupported if there is no higher generation.
ShardHeader next_generation(ShardHeader header, std::span<const std::size_t> copies,
                            std::uint64_t count = 0);

/// Whether one generation of a set came before another, so that the other has all of its changes.
/// Where no lineage tells, the lower count came before.
bool came_before(const ShardHeader& earlier, const ShardHeader& later);

/// Whether two headers are of one set: the same but for the location.
bool same_set(const ShardHeader& a, const ShardHeader& b);

/// H. A multiple of 8.
std::size_t header_bytes(const ShardHeader& header);

/// Makes a header take that many bytes, a multiple of 8, by zeros at its end that readers pass
/// over. False, and nothing is changed, if it takes more, or the format does not allow as many.
[[nodiscard]] bool pad_header(ShardHeader& header, std::size_t bytes);

/// Bytes of the frame of a block.
std::size_t frame_bytes(const ShardHeader& header);

/// Blocks of each shard, which is stripes of the file.
std::uint64_t num_blocks(const ShardHeader& header);

/// Bytes of the payload of a block, up to a block's beginning in the file, and of the whole file.
std::uint64_t payload_bytes(const ShardHeader& header, std::uint64_t block);
std::uint64_t block_offset(const ShardHeader& header, std::uint64_t block);
std::uint64_t shard_bytes(const ShardHeader& header);

/// Where the lineage is in the file, and how many bytes it takes: none if there is none.
std::uint64_t lineage_offset(const ShardHeader& header);
std::size_t lineage_bytes(const ShardHeader& header);

/// Bytes of the file that lie in a stripe.
std::uint64_t stripe_file_bytes(const ShardHeader& header, std::uint64_t stripe);

/// The header as it stands in a shard.
///
/// Errors: throws kInvalidArgument if the spec is longer than the format allows, or any other bound
///         of it does not hold.
std::vector<std::uint8_t> header_text(const ShardHeader& header);

/// What stands behind the last block: the lineage, which is known, and the header again.
std::vector<std::uint8_t> tail_text(const ShardHeader& header);

/// What some bytes at the beginning of a file are.
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

/// The bytes a header takes, found in its first kHeaderPrefixBytes or its last kHeaderSuffixBytes;
/// 0 if they are no such thing. Neither has been verified then: read_header does that.
inline constexpr std::size_t kHeaderPrefixBytes = 16;
inline constexpr std::size_t kHeaderSuffixBytes = 16;
std::size_t bytes_in_prefix(std::span<const std::uint8_t> prefix);
std::size_t bytes_in_suffix(std::span<const std::uint8_t> suffix);

/// Reads a header, which is to be all of the bytes.
HeaderReading read_header(std::span<const std::uint8_t> bytes);

}  // namespace xorloom
