#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "runtime/files/pending_file.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/set_damage.hpp"

namespace xorloom {

/// What a repair has to do to files.
struct RepairTargets {
  /// A shard to be written.
  struct Shard {
    std::uint32_t location;
    std::filesystem::path path;
    std::optional<FileIdentity> replaced;  ///< the damaged one whose place it takes, if it does

    Existing existing() const { return replaced ? Existing::kReplace : Existing::kRefuse; }
  };
  /// A whole pending file that only wants its name.
  struct Adoption {
    std::filesystem::path pending;
    std::filesystem::path path;
  };
  std::vector<Shard> written;
  std::vector<Adoption> adopted;
  /// Shards that may not be read, and may be whole: nothing takes their place.
  std::vector<std::filesystem::path> forbidden;
};

/// Decides which shards of a set are written, and where.
///
/// Damaged shards, and those that a change of the set left behind, are replaced where they are, and
/// missing ones go to the one of the directories
/// that has the fewest. If `to` is given, everything goes there and what lies elsewhere stays as it
/// is. A name is taken over only from a damaged shard of the set, or from a wreck that has the very
/// name and could be replaced without loss: one that only permissions keep from being read stays,
/// and its location is not written beside it. Pending files that are whole get their names only
/// where all blocks were looked at: `adopts`.
RepairTargets choose_targets(const FoundShards& found, const OpenedSet& set,
                             const SetDamage& damage,
                             std::span<const std::filesystem::path> directories,
                             const std::filesystem::path& to, bool adopts = true);

}  // namespace xorloom
