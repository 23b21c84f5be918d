#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/shards/shard_header.hpp"
#include "runtime/shards/shard_journal.hpp"

namespace xorloom {

/// A file, judged by all but its blocks: whether it is a shard, and of which set.
struct ShardFile {
  enum class Kind {
    kOther,        ///< nothing of ours
    kWreck,        ///< was a shard once: neither of its headers can be read, or the file cannot
    kNewer,        ///< has a later version of the format
    kConflicting,  ///< its two headers are whole, and differ
    kShard,
  };
  Kind kind = Kind::kOther;
  std::filesystem::path path;
  OpenFile file;
  ShardHeader header;  ///< the shard's; the first header if kConflicting
  /// The last header of a conflicting file, if it is another generation of the same shard.
  std::optional<ShardHeader> last_header;
  /// Journal of a change in place that was not finished; null: none. Blocks and frames that are in
  /// it are read from it.
  std::shared_ptr<const Journal> journal;
  /// Defects of a shard outside its blocks, a phrase each: a damaged header, a wrong length. For
  /// other kinds: why the file is no shard.
  std::vector<std::string> defects;
  int error = 0;  ///< if kWreck: errno if the system could not read it
  std::vector<std::filesystem::path> other_names;  ///< hard links to the same file that were found

  /// Reads the block from `offset` on (0: its frame) into `bytes` and then `more`. Returns what
  /// OpenFile::read_at does. Precondition: `bytes` lies behind the frame or is the frame; without
  /// `more`, also a beginning of the frame.
  int read_block(std::uint64_t block, std::uint64_t offset, std::span<std::uint8_t> bytes,
                 std::span<std::uint8_t> more = {}) const noexcept;
};

/// Opens a file and reads both its headers. The name matters only for a file without any header: if
/// it is a shard's name, the file is a wreck.
///
/// Cost: a few reads of the size of a header.
ShardFile open_shard(const std::filesystem::path& path);

}  // namespace xorloom
