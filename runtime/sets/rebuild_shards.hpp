#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "runtime/files/pending_file.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/sets/repair_targets.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/set_damage.hpp"

namespace xorloom {

/// What writing shards anew came to.
struct Rebuilding {
  SetDamage damage;              ///< that reading for it has met
  std::set<std::size_t> shards;  ///< that something was read of
  /// How many blocks of each target could be had. The others are as they were in the file that the
  /// target is to replace, or zeros, which no checksum holds for.
  std::vector<std::uint64_t> blocks_had;
};

/// Writes shards of a set anew, stripe by stripe, and finishes their files. Of a stripe that lost
/// more than the code can rebuild, it writes those blocks that can be had.
///
/// Shape:  one file a target. `found` is the damage that was found before; null if none was looked
///         for.
/// Errors: throws kDamaged, naming the stripe, if one has lost more than was found; kIo.
/// Cost:   reads what rebuilding needs.
Rebuilding rebuild_shards(const OpenedSet& set, std::size_t threads,
                          const std::vector<RepairTargets::Shard>& targets,
                          std::vector<PendingFile>& files, const SetDamage* found,
                          Progress& progress);

/// Reads a finished shard back from the disk, as far as the system lets it; lost stripes are passed
/// over. Throws kIo if it is not what it should be.
void read_back(const PendingFile& file, const ShardHeader& expected, const SetDamage& damage,
               Progress& progress);

}  // namespace xorloom
