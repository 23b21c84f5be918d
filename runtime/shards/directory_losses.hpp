#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "runtime/shards/shard_sets.hpp"

namespace xorloom {

/// How many directories, as of disks, may be lost before a set is.
struct DirectoryLosses {
  std::size_t directories = 0;
  std::size_t may_be_lost = 0;  ///< whichever they are; 0 also if the set is lost already
  std::size_t most_shards = 0;  ///< of one directory
};

/// Shape: `held` has the locations of each directory, ascending; several may have the same one.
/// Cost:  decides up to kMostDirectoryChoices sets of directories, then by their numbers of shards.
DirectoryLosses directory_losses(const Code& code,
                                 const std::vector<std::vector<std::size_t>>& held);

inline constexpr std::size_t kMostDirectoryChoices = 2000;

/// The directories of a set's shards, as directory_losses() takes them.
std::vector<std::vector<std::size_t>> locations_by_directory(const ShardSet& set);

/// "any 1 of 4 may be lost", "none of 2 may be lost".
std::string to_string(const DirectoryLosses& losses);

}  // namespace xorloom
