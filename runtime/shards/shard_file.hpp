#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/shards/shard_header.hpp"

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
  ShardHeader header;  ///< if it is a shard
  /// What is wrong with a shard outside its blocks, a phrase each: a header that does not hold, a
  /// length that differs. For other kinds, why it is none.
  std::vector<std::string> defects;
  int error = 0;  ///< of a wreck: errno, if the system could not read it
  std::vector<std::filesystem::path>
      other_names;  ///< hard links to the same file, where they were met
};

/// Opens a file and reads both its headers. Names play no part but to call a file without any
/// header a wreck.
///
/// Cost: a few reads of the size of a header.
ShardFile open_shard(const std::filesystem::path& path);

}  // namespace xorloom
