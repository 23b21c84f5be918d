#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/sets/old_content.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/shard_sets.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A block with its frame takes at most this many bytes, and the payload of a stripe's blocks
/// kUsualStripeBytes, unless the code's smallest chunk is larger.
inline constexpr std::uint64_t kUsualBlockBytes = std::uint64_t{1} << 16;
inline constexpr std::uint64_t kUsualStripeBytes = std::uint64_t{1} << 24;

/// Packets smaller than this are not read apart: a disk reads a page for whatever is in it.
/// Sub-chunks are, whatever they are: blocks do not grow for them, since damage anywhere costs a
/// block.
inline constexpr std::uint64_t kSmallestRows = 4096;

/// Nor are more pieces than this made, so that a frame takes no more than some 2 KiB.
inline constexpr std::uint32_t kMostUsualPieces = 256;

/// The pieces that the blocks of a code's shards are checked in, or none.
Pieces usual_pieces(const Code& code);

/// Payload bytes of the blocks a code's shards have.
std::uint64_t usual_block_bytes(const Code& code);

struct SetEncoding {
  /// Fills a span with the next bytes of the file; fewer only at its end.
  std::function<std::size_t(std::span<std::uint8_t>)> read;
  /// Where the shards go, location after location in turn; each is made if there is none.
  std::vector<std::filesystem::path> directories;
  Code code;
  Options options;  ///< threads are those of the pipeline; see run_pipeline
  bool replace = false;
  bool accept_damage = false;  ///< with `replace`: do not compare with the old set; see OldContent
  std::uint64_t block_bytes = 0;  ///< 0: usual_block_bytes
  std::vector<FileIdentity> inputs =
      {};  ///< the files that are read, which must not be ones that are replaced
  /// The set whose file this is: it alone is replaced, and others stay. Not with `replace`.
  std::optional<ShardHeader> converted = {};
  std::optional<FileInfo> info = {};     ///< what the shards remember of it
  bool holds_files = false;              ///< whether it is an archive of files: see holds_files()
  FindDamaged find_damaged = {};         ///< with `replace`, of an archive; see check_archives()
  mode_t permissions = kAnyPermissions;  ///< what the shards may allow: see permissions_within()
};

struct EncodedSet {
  ShardHeader header;
  std::uint64_t bytes_written = 0;
  std::vector<std::string> replaced;  ///< the sets that are gone, described
  std::vector<StrayFile> strays;      ///< left as they are
  std::vector<std::filesystem::path>
      unremoved;  ///< files of replaced sets that could not be removed
  PlanCounts plans{};
};

/// Writes a file as a new shard set: a stripe at a time, reading, coding and writing overlapped.
///
/// All shards are written under hidden names and synced, then renamed, then the directories are
/// synced; after that the shards of sets that were there are removed, if they are to be replaced.
/// Whenever it is interrupted, the directories hold the old set whole, or the new one.
///
/// Errors: throws kInvalidArgument if a directory is named twice, or one holds a set and it is not
///         to be replaced, or the file is damaged by it; kIo if reading or writing fails or another
///         program writes there; what Codec throws. The directories are then as they were.
/// Cost:   memory for a few stripes, whatever the size of the file: kStripeMemoryBytes.
EncodedSet encode_set(const SetEncoding& encoding, Progress& progress);

}  // namespace xorloom
