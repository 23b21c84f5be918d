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

/// The files that a repair has to write or rename.
struct RepairTargets {
  /// A shard to be written.
  struct Shard {
    std::uint32_t location;
    std::filesystem::path path;
    std::optional<FileIdentity> replaced;  ///< the damaged file that it replaces; nullopt: none

    Existing existing() const { return replaced ? Existing::kReplace : Existing::kRefuse; }
  };
  /// A whole pending file that only needs its name.
  struct Adoption {
    std::filesystem::path pending;
    std::filesystem::path path;
  };
  std::vector<Shard> written;
  std::vector<Adoption> adopted;
  /// Shards that may not be read for lack of permission, and may be whole: nothing replaces them.
  std::vector<std::filesystem::path> forbidden;
};

/// Decides which shards of a set are written, and where.
///
/// Damaged shards, and those that a change of the set left behind, are replaced where they are.
/// Missing ones go to the one of `directories` that has the fewest. If `to` is not empty,
/// everything goes there, and files elsewhere stay as they are. A name is taken over only from a
/// damaged shard of the set, or from a wreck that has exactly this name and can be replaced without
/// loss. A wreck that only permissions keep from being read stays, and its location is not written
/// elsewhere. `adopts`: whole pending files get their names; to be set only if all blocks were
/// looked at.
RepairTargets choose_targets(const FoundShards& found, const OpenedSet& set,
                             const SetDamage& damage,
                             std::span<const std::filesystem::path> directories,
                             const std::filesystem::path& to, bool adopts = true);

}  // namespace xorloom
