#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "runtime/shards/read_set.hpp"
#include "runtime/shards/shard_sets.hpp"

namespace xorloom::cli {

// What the commands on shard sets share.

/// DIR…: where shards are looked for.
void add_directories(Command& command, std::vector<std::string>& directories);

/// --set: which set, where there are several.
void add_set(Command& command, std::string& digits);

/// --allow-large: take shards as they are, whatever looking at them takes.
void add_allow_large(Command& command, bool& allow_large);
ReadingBounds reading_bounds(bool allow_large);

/// An option that takes a text which is not empty, as a variable of the shell that is not set would
/// be.
void add_word(Command& command, const std::string& name, const std::string& type,
              std::string& value, const std::string& help);

std::vector<std::filesystem::path> paths_of(const std::vector<std::string>& directories);

/// How the copies of a location's shards are.
struct LocationState {
  enum class Kind {
    kWhole,
    kDamaged,
    kMissing,
    kStale,       ///< there is one of an earlier generation: a change left it behind
    kUnreadable,  ///< there is none but a file of its name, which the system could not read
  };
  Kind kind = Kind::kMissing;
  std::size_t location = 0;
  std::vector<std::string> damage;      ///< "PATH: what is wrong", one for each damaged copy
  std::optional<StrayFile> unreadable;  ///< that file
};
const char* to_string(LocationState::Kind kind);

std::vector<LocationState> location_states(const FoundShards& found, const ShardSet& set,
                                           const SetDamage& damage);

bool are_whole(const std::vector<LocationState>& states);

/// The locations that are so, ascending.
std::vector<std::size_t> locations_of(const std::vector<LocationState>& states,
                                      LocationState::Kind kind);

/// What is wrong with one shard, in a phrase; empty if nothing is known to be.
std::string damage_text(const ShardSet& set, const SetDamage& damage, std::size_t shard);

/// Notes what is damaged, each shard in a line, and which are missing or unreadable.
void note_damage(const std::vector<LocationState>& states);

/// Notes which shards still have hidden names.
void note_hidden(const ShardSet& set);

/// Notes what was found besides the set: directories that could not be read, other sets, strays.
void note_others(const FoundShards& found, const ShardSet& meant);

}  // namespace xorloom::cli
