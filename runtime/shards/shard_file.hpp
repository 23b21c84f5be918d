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

/// A file looked at from outside its blocks: whether it is a shard, and of what.
struct ShardFile {
  enum class Kind {
    kOther,        ///< nothing of ours
    kWreck,        ///< was a shard once: neither of its headers can be read, or the file cannot
    kNewer,        ///< of a later version of the format
    kConflicting,  ///< its two headers are whole, and differ
    kShard,
  };
  Kind kind = Kind::kOther;
  std::filesystem::path path;
  OpenFile file;
  ShardHeader header;  ///< if it is a shard, or the one at the beginning if they differ
  /// The header at the end of a conflicting one, where it is another generation of the same shard.
  std::optional<ShardHeader> last_header;
  /// What says how the shard's blocks are, if a change in place was not carried out to its end:
  /// blocks and frames that are in it are read there.
  std::shared_ptr<const Journal> journal;
  /// What is wrong with a shard outside its blocks, a phrase each: a header that does not hold, a
  /// length that differs. For other kinds, why it is none.
  std::vector<std::string> defects;
  int error = 0;  ///< of a wreck: errno, if the system could not read it
  std::vector<std::filesystem::path>
      other_names;  ///< hard links to the same file, where they were met

  /// Fills two spans one after the other with what a shard has from some bytes behind the beginning
  /// of a block. The first span ends with the frame, or lies behind it. Returns what
  /// OpenFile::read_at does.
  int read_block(std::uint64_t block, std::uint64_t offset, std::span<std::uint8_t> bytes,
                 std::span<std::uint8_t> more = {}) const noexcept;
};

/// Opens a file and reads both its headers. Names play no part but to call a file without any
/// header a wreck.
///
/// Cost: a few reads of the size of a header.
ShardFile open_shard(const std::filesystem::path& path);

}  // namespace xorloom
