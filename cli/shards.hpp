#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "runtime/read_set.hpp"
#include "runtime/shard_sets.hpp"

namespace xorloom::cli {

// What the commands on shard sets share.

/// DIR…: where shards are looked for.
void add_directories(Command& command, std::vector<std::string>& directories);

/// --set: which set, where there are several.
void add_set(Command& command, std::string& digits);

/// An option that takes a text which is not empty, as a variable of the shell that is not set would
/// be.
void add_word(Command& command, const std::string& name, const std::string& type,
              std::string& value, const std::string& help);

std::vector<std::filesystem::path> paths_of(const std::vector<std::string>& directories);

/// How the copies of a location's shards are.
struct LocationState {
  enum class Kind { kWhole, kDamaged, kMissing };
  Kind kind = Kind::kMissing;
  std::size_t location = 0;
  std::vector<std::string> damage;  ///< "PATH: what is wrong", one for each damaged copy
};
std::vector<LocationState> location_states(const ShardSet& set, const SetDamage& damage);

/// What is wrong with one shard, in a phrase; empty if nothing is known to be.
std::string damage_text(const ShardSet& set, const SetDamage& damage, std::size_t shard);

/// Notes what is damaged and missing, each shard in a line.
void note_damage(const ShardSet& set, const SetDamage& damage);

/// Notes which shards still have hidden names.
void note_hidden(const ShardSet& set);

/// Notes what was found besides the set: directories that could not be read, other sets, strays.
void note_others(const FoundShards& found, const ShardSet& meant);

/// Text from outside without what would move a terminal's cursor.
std::string printable(std::string text);

}  // namespace xorloom::cli
