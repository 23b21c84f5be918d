#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "codes/code.hpp"
#include "codes/text/json.hpp"
#include "runtime/shards/directory_losses.hpp"
#include "runtime/shards/read_set.hpp"
#include "runtime/shards/shard_sets.hpp"

namespace xorloom::cli {

// Functions that the commands on shard sets share.

/// Adds DIR…, the directories that hold the shards.
void add_directories(Command& command, std::vector<std::string>& directories);

/// Adds --set, which chooses among several sets.
void add_set(Command& command, std::string& digits);

/// Adds --allow-large, which lifts the bounds on memory and time for reading shards.
void add_allow_large(Command& command, bool& allow_large);
ReadingBounds reading_bounds(bool allow_large);

std::vector<std::filesystem::path> paths_of(const std::vector<std::string>& directories);

/// The paths at which a command looks for shards. Throws kInvalidArgument if they are atlases.
std::vector<std::filesystem::path> places_of_shards(const std::vector<std::string>& places);

/// State of a location, from all copies of its shard.
struct LocationState {
  enum class Kind {
    kWhole,
    kDamaged,
    kMissing,
    kStale,       ///< a shard of another generation is there: a change left it behind
    kUnreadable,  ///< a file of its name is there, but cannot be read
  };
  Kind kind = Kind::kMissing;
  std::size_t location = 0;
  std::vector<std::string> damage;      ///< "PATH: what is wrong", one for each bad copy
  std::optional<StrayFile> unreadable;  ///< kUnreadable: the file
};
const char* to_string(LocationState::Kind kind);

std::vector<LocationState> location_states(const FoundShards& found, const ShardSet& set,
                                           const SetDamage& damage);

bool are_whole(const std::vector<LocationState>& states);

/// The locations of kind `kind`, ascending.
std::vector<std::size_t> locations_of(const std::vector<LocationState>& states,
                                      LocationState::Kind kind);

/// Number of a set's directories that may be lost, by its whole shards. nullopt: it is in one.
std::optional<DirectoryLosses> losses_of_directories(const Code& code, const ShardSet& set,
                                                     const std::vector<LocationState>& states);

/// {"directories": 3, "may_be_lost": 1}; null if there are no losses.
Json losses_json(const std::optional<DirectoryLosses>& losses);

/// The word for shards of other generations of the set: "stale", or "of another generation" if one
/// of them is not older.
const char* word_for_stale(const FoundShards& found, const ShardSet& set);

/// Describes the damage of one shard; empty if none is known.
std::string damage_text(const ShardSet& set, const SetDamage& damage, std::size_t shard);

/// Notes each damaged shard in a line, then which are missing, stale or unreadable.
void note_damage(const std::vector<LocationState>& states);

/// Notes the shards that still have hidden names.
void note_hidden(const ShardSet& set);

/// Notes how many of several directories may be lost, and warns if none may. For a single directory
/// it notes nothing.
///
/// Shape: `held` is as directory_losses() takes it.
void note_directory_losses(const Code& code, const std::vector<std::vector<std::size_t>>& held);

/// Notes all that was found besides `meant`: unreadable directories, other sets, stray files and
/// journals.
void note_others(const FoundShards& found, const ShardSet& meant);

}  // namespace xorloom::cli
