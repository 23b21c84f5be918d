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

/// The most bytes of a block with its frame (kUsualBlockBytes), and of the payloads of a stripe's
/// blocks (kUsualStripeBytes), unless the code's smallest chunk is larger.
inline constexpr std::uint64_t kUsualBlockBytes = std::uint64_t{1} << 16;
inline constexpr std::uint64_t kUsualStripeBytes = std::uint64_t{1} << 24;

/// Packets smaller than this are not checked as pieces: a disk reads a page for whatever is in it.
/// Sub-chunks of words are, whatever their size: blocks do not grow for them, since damage anywhere
/// costs a block.
inline constexpr std::uint64_t kSmallestRows = 4096;

/// The most pieces of a block: a frame takes no more than about 2 KiB.
inline constexpr std::uint32_t kMostUsualPieces = 256;

/// The pieces in which the blocks of a code's shards are checked; Pieces{}: none.
Pieces usual_pieces(const Code& code);

/// Payload bytes of a block in the shards of a code.
std::uint64_t usual_block_bytes(const Code& code);

struct SetEncoding {
  /// Fills a span with the next bytes of the file; fewer only at its end.
  std::function<std::size_t(std::span<std::uint8_t>)> read;
  /// Directories for the shards, which go to them in turn; each is made if there is none.
  std::vector<std::filesystem::path> directories;
  Code code;
  Options options;  ///< threads are those of the pipeline; see run_pipeline
  bool replace = false;
  bool accept_damage = false;  ///< with `replace`: do not compare with the old set; see OldContent
  std::uint64_t block_bytes = 0;          ///< 0: usual_block_bytes
  std::vector<FileIdentity> inputs = {};  ///< files that are read: they must not be replaced
  /// The set that this file comes from: it alone is replaced, and others stay. Not with `replace`.
  std::optional<ShardHeader> converted = {};
  std::optional<FileInfo> info = {};     ///< the file's name, permissions and time, for the shards
  bool holds_files = false;              ///< the file is an archive of files: see holds_files()
  FindDamaged find_damaged = {};         ///< with `replace`, of an archive; see check_archives()
  mode_t permissions = kAnyPermissions;  ///< limit of permissions: see permissions_within()
};

struct EncodedSet {
  ShardHeader header;
  std::uint64_t bytes_written = 0;
  std::vector<std::string> replaced;  ///< descriptions of the sets that are gone
  std::vector<StrayFile> strays;      ///< stray files that were left as they are
  std::vector<std::filesystem::path>
      unremoved;  ///< files of replaced sets that could not be removed
  PlanCounts plans{};
};

/// Writes a file as a new shard set, a stripe at a time; reading, coding and writing overlap.
///
/// All shards are written under hidden names and synced, then renamed, then the directories are
/// synced. After that the old shards are removed, if they are to be replaced. Whenever it is
/// interrupted, the directories hold the old set whole, or the new one.
///
/// Errors: throws kInvalidArgument if a directory is named twice, if one holds a set that is not to
///         be replaced, or if the file is damaged compared with the old set; kIo if reading or
///         writing fails or another program writes there; what Codec throws. The directories are
///         then as they were.
/// Cost:   memory for a few stripes, whatever the size of the file: kStripeMemoryBytes.
EncodedSet encode_set(const SetEncoding& encoding, Progress& progress);

}  // namespace xorloom
