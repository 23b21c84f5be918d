#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/sets/keep_blocks.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/read_costs.hpp"
#include "runtime/shards/set_damage.hpp"

namespace xorloom {

/// A shard that was written anew.
struct RebuiltShard {
  std::uint32_t location;
  std::filesystem::path path;
  bool is_in_place;  ///< it took the place of a damaged one
};

struct SetRepair {
  std::vector<std::filesystem::path> directories;
  /// Where all that is rebuilt goes, nothing else being changed; made if there is none. Empty:
  /// damaged shards are replaced where they are, and missing ones go to the directory with the
  /// fewest.
  std::filesystem::path to;
  std::string set_digits;               ///< which set; see choose_set
  Options options;                      ///< threads are those of the pipeline; see run_pipeline
  std::vector<PlaceCost> read_costs{};  ///< of locations and of directories
  /// Rebuild shards that are missing or cannot be opened as they are, without a search for damage
  /// in the others.
  bool only_missing = false;
  /// Compare redundancy with data, too. Which blocks it finds wrong depends on how many may be; see
  /// assume_wrong. Where as few other blocks may be wrong, nothing is written. Not with
  /// only_missing.
  bool deep = false;
  /// If deep: at most this many chunks of a stripe are wrong though their checksums hold, as the
  /// caller knows. Blocks that are wrong by redundancy are replaced if that leaves no other
  /// explanation. None: they are found, and nothing is written.
  std::optional<std::size_t> assume_wrong{};
  ReadingBounds bounds{};
};

struct RepairedSet {
  FoundShards found;
  const ShardSet* set = nullptr;  ///< in found; its files as they were before
  /// What was wrong before; if only missing shards were wanted, what rebuilding them has met.
  SetDamage damage;
  std::string loss;  ///< what cannot be recovered, as loss_text() has it; empty if all can
  /// Wrong blocks were found by redundancy, and no assumption was given: nothing was written.
  bool needs_assumption = false;
  std::vector<KeptBlocks> kept;           ///< of the blocks replaced that are wrong by redundancy
  std::vector<std::size_t> left_damaged;  ///< numbers of shards that were met so, and not rebuilt
  std::vector<RebuiltShard> rebuilt;
  std::vector<std::filesystem::path> adopted;    ///< pending files that have got their names
  std::vector<std::filesystem::path> forbidden;  ///< shards that may not be read, and were left
  std::uint64_t bytes_read_to_find = 0;          ///< damage
  std::uint64_t bytes_read_to_rebuild = 0;
  std::uint64_t bytes_read_back = 0;
  std::size_t shards_read_to_rebuild = 0;
  std::uint64_t bytes_rebuilt = 0;  ///< frames and payloads
  std::uint64_t bytes_written = 0;
  PlanCounts plans{};

  std::uint64_t bytes_read() const {
    return bytes_read_to_find + bytes_read_to_rebuild + bytes_read_back;
  }
};

/// Makes every shard of a set whole, or those that are missing or cannot be opened. Each is written
/// under a hidden name, synced, read back and then renamed; a damaged shard stays until then.
///
/// Blocks that it replaces though their checksums hold are kept beside their shards: keep_blocks.
///
/// Where stripes lost more than the code can rebuild, all others are repaired. Their blocks that
/// cannot be had stay as they were, or are zeros in a shard that is new; what is left of pending
/// files and journals stays, too. RepairedSet::damage names those stripes.
///
/// Errors: throws what choose_set and OpenedSet throw; kDamaged, with nothing changed, if stripes
///         are lost and no block can be rebuilt, more shards are missing than the code survives (a
///         directory may have been forgotten), a deep look cannot tell which blocks are wrong, or
///         not with as many as assume_wrong says, or over half of the stripes lie behind the end of
///         every shard; kIo if reading or writing fails, what was written reads back different, or
///         another program writes there. Shards renamed until then stay.
/// Cost:   the set is read whole, unless only missing shards are wanted, then what rebuilding
///         needs, then what was written.
RepairedSet repair_set(const SetRepair& repair, Progress& progress);

}  // namespace xorloom
