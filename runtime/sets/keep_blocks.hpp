#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "runtime/shards/set_damage.hpp"
#include "runtime/shards/shard_file.hpp"

namespace xorloom {

/// Suffix of the name of a file of kept blocks, behind the name of its shard.
inline constexpr const char* kKeptSuffix = ".before-deep-repair";

/// A file of blocks that a repair replaced.
struct KeptBlocks {
  std::filesystem::path path;
  std::uint64_t blocks;
  std::uint64_t bytes;  ///< bytes of the blocks with their frames
};

/// Writes the blocks of a shard that are wrong by redundancy (BlockFault::kWrong) to a file beside
/// it, and syncs the file. The file, from which no set is read, has:
///
///   a line of JSON        the set, the shard and its location; then "blocks", ranges of blocks in
///                         ascending order: first, last, bytes, and where they were in the shard
///   the blocks            of these ranges, each as it stood in the shard: frame and payload
///   "\nend of blocks\n"
///
/// The file is named like its shard with kKeptSuffix appended, and a number if that is taken.
///
/// Returns: nullopt if the shard has no such blocks.
/// Errors:  throws kIo.
std::optional<KeptBlocks> keep_blocks(const ShardFile& shard, const std::vector<BadBlocks>& blocks);

}  // namespace xorloom
