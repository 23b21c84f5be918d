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

/// Result of writing shards anew.
struct Rebuilding {
  SetDamage damage;              ///< damage met while reading
  std::set<std::size_t> shards;  ///< shards that were read from
  /// The number of blocks of each target that could be had. The others stay as in the file that the
  /// target replaces, or are zeros, for which no checksum holds.
  std::vector<std::uint64_t> blocks_had;
};

/// Writes shards of a set anew, stripe by stripe, and finishes their files. If a stripe has lost
/// more than the code can rebuild, only the blocks that can be had are written.
///
/// Shape:  one file per target. `found`: the damage found before; null: nobody has looked for
///         damage.
/// Errors: throws kDamaged, naming the stripe, if one has lost more than was found; kIo.
/// Cost:   reads what rebuilding needs.
Rebuilding rebuild_shards(const OpenedSet& set, std::size_t threads,
                          const std::vector<RepairTargets::Shard>& targets,
                          std::vector<PendingFile>& files, const SetDamage* found,
                          Progress& progress);

/// Reads a finished shard back from the disk, past the system's cache if possible; passes over lost
/// stripes. Throws kIo if it is not what it should be.
void read_back(const PendingFile& file, const ShardHeader& expected, const SetDamage& damage,
               Progress& progress);

}  // namespace xorloom
