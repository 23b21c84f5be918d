#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

/// Number of directories, as of disks, that may be lost before a set is.
struct DirectoryLosses {
  std::size_t directories = 0;
  std::size_t may_be_lost = 0;  ///< however they are chosen; 0 also if the set is lost already
  std::size_t most_shards = 0;  ///< the most shards in one directory
};

/// Shape: `held[d]` has the locations in directory d, ascending; a location may be in several.
/// Cost:  tries up to kMostDirectoryChoices sets of directories; beyond, counts their shards.
DirectoryLosses directory_losses(const Code& code,
                                 const std::vector<std::vector<std::size_t>>& held);

inline constexpr std::size_t kMostDirectoryChoices = 2000;

/// The locations of a set's shards by directory, as directory_losses() takes them.
std::vector<std::vector<std::size_t>> locations_by_directory(const ShardSet& set);

/// "any 1 of 4 may be lost", "none of 2 may be lost".
std::string to_string(const DirectoryLosses& losses);

}  // namespace xorloom
