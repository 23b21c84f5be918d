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
  bool is_in_place;  ///< it took the place of a damaged shard
};

struct SetRepair {
  std::vector<std::filesystem::path> directories;
  /// Directory for all that is rebuilt, made if there is none; nothing else is changed then. Empty:
  /// damaged shards are replaced where they are, and missing ones go to the directory with the
  /// fewest shards.
  std::filesystem::path to;
  std::string set_digits;               ///< chooses the set; see choose_set
  Options options;                      ///< threads are those of the pipeline; see run_pipeline
  std::vector<PlaceCost> read_costs{};  ///< costs of locations and of directories
  /// Rebuild only shards that are missing or cannot be opened; do not look for damage in the
  /// others.
  bool only_missing = false;
  /// Also compare redundancy with data. Which blocks are found wrong depends on how many may be;
  /// see `assume_wrong`. If another set of blocks, no larger, may be wrong, nothing is written. Not
  /// with `only_missing`.
  bool deep = false;
  /// If `deep`: the most chunks of a stripe that are wrong though their checksums hold, as the
  /// caller knows. Blocks that are wrong by redundancy are replaced if this leaves no other
  /// explanation. nullopt: they are found, and nothing is written.
  std::optional<std::size_t> assume_wrong{};
  ReadingBounds bounds{};
};

struct RepairedSet {
  FoundShards found;
  const ShardSet* set = nullptr;  ///< points into `found`; its files as before the repair
  /// Damage before the repair; with `only_missing`, what rebuilding has met.
  SetDamage damage;
  std::string loss;  ///< lost stripes, from loss_text(); empty: nothing is lost
  /// Wrong blocks were found by redundancy, and no assumption was given: nothing was written.
  bool needs_assumption = false;
  std::vector<KeptBlocks> kept;           ///< copies of replaced blocks that redundancy found wrong
  std::vector<std::size_t> left_damaged;  ///< numbers of shards found damaged and not rebuilt
  std::vector<RebuiltShard> rebuilt;
  std::vector<std::filesystem::path> adopted;    ///< names given to pending files
  std::vector<std::filesystem::path> forbidden;  ///< shards that permissions keep from being read
  std::uint64_t bytes_read_to_find = 0;          ///< bytes read in search of damage
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

/// Makes every shard of a set whole, or only those that are missing or cannot be opened. Each is
/// written under a hidden name, synced, read back and then renamed; a damaged shard stays until
/// then.
///
/// Replaced blocks whose checksums hold are kept beside their shards: see keep_blocks.
///
/// If stripes have lost more than the code can rebuild, all others are repaired. In those stripes,
/// blocks that cannot be had stay as they were, or are zeros in a new shard; pending files and
/// journals stay, too. RepairedSet::damage names those stripes.
///
/// Errors: throws what choose_set and OpenedSet throw; kDamaged, with nothing changed, if stripes
///         are lost and no block can be rebuilt, if more shards are missing than the code survives
///         (a directory may have been forgotten), if a deep look cannot tell which blocks are
///         wrong, or not under `assume_wrong`, or if over half of the stripes lie behind the end of
///         every shard; kIo if reading or writing fails, what was written reads back different, or
///         another program writes there. Shards renamed until then stay.
/// Cost:   reads the whole set, unless only missing shards are wanted; then what rebuilding needs,
///         then what was written.
RepairedSet repair_set(const SetRepair& repair, Progress& progress);

}  // namespace xorloom
