#include "cli/shell/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/shell/options.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/atlas/atlas.hpp"
#include "runtime/shards/directory_losses.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom::cli {

void add_directories(Command& command, std::vector<std::string>& directories) {
  add_arguments(command, "DIR", directories, "one or more directories that hold the shards");
}

void add_set(Command& command, std::string& digits) {
  add_text(
      command, "--set", "ID[@GENERATION]", digits,
      "the set whose id begins with ID, in hexadecimal digits. ID@GENERATION names one generation "
      "of it, @GENERATION one of the only set. Default: the set with the highest generation");
}

void add_allow_large(Command& command, bool& allow_large) {
  const ReadingBounds usual;
  add_flag(
      command, "--allow-large", allow_large,
      fmt::format(
          "read shards that need much memory or time; only for shards that you trust. Without it, "
          "xorloom refuses more than {} MiB, or more than about a second of preparation",
          usual.memory_bytes >> 20));
}

ReadingBounds reading_bounds(bool allow_large) {
  return allow_large ? lifted_bounds() : ReadingBounds{};
}

std::vector<std::filesystem::path> paths_of(const std::vector<std::string>& directories) {
  return {directories.begin(), directories.end()};
}

std::vector<std::filesystem::path> places_of_shards(const std::vector<std::string>& places) {
  const bool are_atlases = std::ranges::all_of(places, [](const std::string& place) {
    std::error_code error;
    return std::filesystem::is_regular_file(place, error) && is_atlas(place);
  });
  if (are_atlases && !places.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is an atlas: xorloom info checks it", places.front()));
  }
  return paths_of(places);
}

std::string damage_text(const ShardSet& set, const SetDamage& damage, std::size_t shard) {
  std::string text;
  for (const std::string& defect : set.shards[shard].defects) {
    text += (text.empty() ? "" : "; ") + defect;
  }
  if (const auto bad = damage.bad_blocks.find(shard); bad != damage.bad_blocks.end()) {
    text += (text.empty() ? "" : "; ") + to_string(bad->second);
  }
  return text;
}

namespace {

/// A shard of another generation, which a change of its set left behind.
struct StaleShard {
  std::uint32_t location;
  std::filesystem::path path;
  std::string generation;  ///< in words, for messages
  bool is_of_code;         ///< its code is the present code of the set
};

std::vector<StaleShard> stale_shards(const FoundShards& found, const ShardSet& set) {
  std::vector<StaleShard> stale;
  for (const ShardSet& other : found.sets) {
    if (&other == &set || other.header.set != set.header.set) continue;
    for (const ShardFile& shard : other.shards) {
      stale.push_back({shard.header.location, shard.path,
                       fmt::format("generation {}", generation_text(shard.header)),
                       shard.header.spec == set.header.spec});
    }
  }
  for (const StrayFile& stray : found.strays) {
    if (!stray.header || stray.header->set != set.header.set) continue;
    stale.push_back({stray.header->location, stray.path, "two generations",
                     stray.header->spec == set.header.spec});
  }
  return stale;
}

}  // namespace

const char* word_for_stale(const FoundShards& found, const ShardSet& set) {
  const auto is_not_older = [&](const ShardSet& other) {
    return &other != &set && other.header.set == set.header.set &&
           !came_before(other.header, set.header);
  };
  return std::ranges::any_of(found.sets, is_not_older) ? "of another generation" : "stale";
}

const char* to_string(LocationState::Kind kind) {
  using enum LocationState::Kind;
  switch (kind) {
    case kWhole:
      return "whole";
    case kDamaged:
      return "damaged";
    case kMissing:
      return "missing";
    case kStale:
      return "stale";
    case kUnreadable:
      break;
  }
  return "unreadable";
}

std::vector<LocationState> location_states(const FoundShards& found, const ShardSet& set,
                                           const SetDamage& damage) {
  std::vector<LocationState> states(set.header.locations);
  for (std::size_t location = 0; location < states.size(); ++location) {
    states[location].location = location;
  }
  for (std::size_t i = 0; i < set.shards.size(); ++i) {
    LocationState& state = states[set.shards[i].header.location];
    const std::string text = damage_text(set, damage, i);
    if (text.empty()) {
      if (state.kind == LocationState::Kind::kMissing) state.kind = LocationState::Kind::kWhole;
      continue;
    }
    state.kind = LocationState::Kind::kDamaged;
    state.damage.push_back(printable(fmt::format("{}: {}", set.shards[i].path.string(), text)));
  }
  const char* const word = word_for_stale(found, set);
  for (const auto& [location, path, generation, is_of_code] : stale_shards(found, set)) {
    if (location >= states.size()) continue;  // redundancy of an earlier code of the set
    LocationState& state = states[location];
    const bool is_copy = state.kind == LocationState::Kind::kWhole && is_of_code;
    if (state.kind != LocationState::Kind::kMissing && !is_copy) continue;
    state.kind = LocationState::Kind::kStale;
    state.damage.push_back(
        printable(fmt::format("{}: {}, and not read: it is of {}, and the set is of generation {}",
                              path.string(), word, generation, generation_text(set.header))));
  }
  for (LocationState& state : states) {
    if (state.kind != LocationState::Kind::kMissing) continue;
    const auto location = static_cast<std::uint32_t>(state.location);
    if (const StrayFile* const file = unreadable_shard(found, set, location)) {
      state.kind = LocationState::Kind::kUnreadable;
      state.unreadable = *file;
    }
  }
  return states;
}

bool are_whole(const std::vector<LocationState>& states) {
  return std::ranges::all_of(
      states, [](const LocationState& state) { return state.kind == LocationState::Kind::kWhole; });
}

std::vector<std::size_t> locations_of(const std::vector<LocationState>& states,
                                      LocationState::Kind kind) {
  std::vector<std::size_t> locations;
  for (const LocationState& state : states) {
    if (state.kind == kind) locations.push_back(state.location);
  }
  return locations;
}

void note_damage(const std::vector<LocationState>& states) {
  for (const LocationState& state : states) {
    for (const std::string& text : state.damage) note(text);
  }
  const auto note_all = [&](const char* what, LocationState::Kind kind) {
    const std::vector<std::size_t> all = locations_of(states, kind);
    if (all.empty()) return;
    note(fmt::format("{}: {}", what, named_list("shard", all)));
  };
  note_all("missing", LocationState::Kind::kMissing);
  note_all("of another generation, and not read", LocationState::Kind::kStale);
  note_all("unreadable", LocationState::Kind::kUnreadable);
}

std::optional<DirectoryLosses> losses_of_directories(const Code& code, const ShardSet& set,
                                                     const std::vector<LocationState>& states) {
  std::vector<std::vector<std::size_t>> held = locations_by_directory(set);
  if (held.size() < 2) return std::nullopt;
  for (std::vector<std::size_t>& each : held) {
    std::erase_if(each,
                  [&](std::size_t i) { return states[i].kind != LocationState::Kind::kWhole; });
  }
  return directory_losses(code, held);
}

Json losses_json(const std::optional<DirectoryLosses>& losses) {
  if (!losses) return {};
  return {{"directories", losses->directories}, {"may_be_lost", losses->may_be_lost}};
}

void note_directory_losses(const Code& code, const std::vector<std::vector<std::size_t>>& held) {
  if (held.size() < 2) return;
  const DirectoryLosses losses = directory_losses(code, held);
  if (losses.may_be_lost != 0) {
    return note(fmt::format("of the directories, {}", to_string(losses)));
  }
  const std::size_t enough =
      code.promised_losses == 0
          ? 0
          : (code.locations + code.promised_losses - 1) / code.promised_losses;
  const std::string most = code.promised_losses == 0
                               ? std::string("no shard may be.")
                               : fmt::format("only {} may be. With {} directories, any one may be.",
                                             counted(code.promised_losses, "shard"), enough);
  say(fmt::format("warning: no directory may be lost: one of the {} holds {} of {}, and {}",
                  losses.directories, losses.most_shards, counted(code.locations, "shard"), most));
}

namespace {

std::string journal_text(const FoundJournal& found) {
  switch (found.state) {
    case FoundJournal::State::kCommitted:
      return "the journal of a change that was interrupted; its bytes are read from there, and the "
             "next command that writes to the set carries it out";
    case FoundJournal::State::kDiscarded:
      return "the journal of a change that was not made; the next command that writes to the set "
             "removes it";
    case FoundJournal::State::kUndecided:
      return "the journal of a change to another code that needs more shards of the set than are "
             "found; they are read as they were before it, and no command writes to the set";
    case FoundJournal::State::kApart:
      return "the journal of a change that was made apart from the set; repair with --set "
             "ID@GENERATION removes it";
    case FoundJournal::State::kKept:
      break;
  }
  const std::string& why = found.journal->why();
  return "not used: a journal of another set" + (why.empty() ? "" : ", or " + why);
}

}  // namespace

void note_hidden(const ShardSet& set) {
  for (const ShardFile& shard : set.shards) {
    if (!is_pending_shard(shard.path)) continue;
    note(printable(
        fmt::format("{}: still has its hidden name because encode or convert was interrupted; "
                    "repair gives it its final name",
                    shard.path.string())));
  }
}

void note_others(const FoundShards& found, const ShardSet& meant) {
  for (const std::string& sentence : found.unread) note(printable(sentence));
  for (const ShardSet& set : found.sets) {
    const bool is_left_behind = set.header.set == meant.header.set;  // note_damage names its shards
    if (&set != &meant && !is_left_behind) note("not used: " + describe(set));
    for (const ShardFile& shard : set.shards) {
      if (!is_left_behind || shard.header.location < meant.header.locations) continue;
      note(printable(fmt::format("not used: {}: redundancy of an earlier code of the set",
                                 shard.path.string())));
    }
  }
  for (const StrayFile& stray : found.strays) {
    note(printable(fmt::format("not used: {}: {}", stray.path.string(), stray.why)));
  }
  for (const FoundJournal& each : found.journals) {
    note(printable(fmt::format("{}: {}", each.journal->path().string(), journal_text(each))));
  }
}

}  // namespace xorloom::cli
