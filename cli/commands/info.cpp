#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands/protected.hpp"
#include "cli/document/writers.hpp"
#include "cli/pages/atlas_page.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "runtime/atlas/atlas.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/shards/directory_losses.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/reading_bounds.hpp"
#include "runtime/shards/settled_reading.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kInfoAbout =
    "describe shards, protection files or an atlas\n"
    "Reads the headers of the shards at each PATH, which is a file or a directory. Reports the "
    "code, the size and the shards of every set. Blocks are not read; verify does that. A PATH "
    "that cannot be read is reported, and the others are described; the exit status is 0 if one "
    "could be. Of a protection file, lists the files that it protects. If PATH is an atlas, reads "
    "all of it and reports which code it is for, what its equations cost, and whether it is whole. "
    "Damage of a set that is found does not count: the exit status is 1 if records of an atlas are "
    "damaged, and 3 if an atlas is damaged beyond use.";

constexpr const char* kInfoExamples =
    "xorloom info shards\n"
    "xorloom info disk1 disk2 disk3\n"
    "xorloom info code.atlas";

/// The code of a set; nullopt if its spec is wrong or exceeds the usual bounds.
std::optional<Code> known_code(const ShardHeader& header) {
  try {
    return make_code(header.spec, {.limits = ReadingBounds{}.spec});
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// As losses_of_directories(); also nullopt if the code is not known.
std::optional<DirectoryLosses> losses_of(const ShardSet& set,
                                         const std::vector<LocationState>& states) {
  const std::optional<Code> code = known_code(set.header);
  return code ? losses_of_directories(*code, set, states) : std::nullopt;
}

Facts facts(const FoundShards& found, const ShardSet& set) {
  const ShardHeader& header = set.header;
  const std::vector<LocationState> states = location_states(found, set, {});
  std::string others;
  for (const auto kind : {LocationState::Kind::kDamaged, LocationState::Kind::kStale,
                          LocationState::Kind::kUnreadable}) {
    const std::vector<std::size_t> locations = locations_of(states, kind);
    const char* const word =
        kind == LocationState::Kind::kStale ? word_for_stale(found, set) : to_string(kind);
    if (!locations.empty()) others += fmt::format(", {} {}", word, short_list(locations));
  }
  Facts facts{{{"set", to_string(header.set)},
               {"generation", generation_text(header)},
               {"code", header.spec}}};
  if (const auto info = remembered(header)) facts.add("name", printable(info->name));
  if (holds_files(header)) facts.add("content", "an archive of files");
  if (const auto losses = losses_of(set, states)) facts.add("directories", to_string(*losses));
  facts.add("file", fmt::format("{} in {} of {}", bytes_text(header.file_bytes),
                                counted(num_blocks(header), "stripe"), header.stripe_bytes));
  const std::string pieces =
      header.pieces.number == 0 ? "" : fmt::format(" in {} pieces", header.pieces.number);
  facts.add("blocks", fmt::format("{}{}, the last {}", counted(header.block_bytes, "byte"), pieces,
                                  header.last_block_bytes));
  const std::vector<std::size_t> missing = locations_of(states, LocationState::Kind::kMissing);
  const std::string each = counted(shard_bytes(header), "byte");
  facts.add("shards",
            missing.empty()
                ? fmt::format("{} of {}, none missing{}", header.locations, each, others)
                : fmt::format("{} of {}, each of {}; missing location{} {}{}",
                              header.locations - missing.size(), header.locations, each,
                              missing.size() == 1 ? "" : "s", short_list(missing), others));
  return facts;
}

Table shards_table(const ShardSet& set) {
  Table table{{{"", {"shard"}, true}}, {{"", {}}}, "location"};
  for (std::size_t i = 0; i < set.shards.size(); ++i) {
    const ShardFile& shard = set.shards[i];
    const std::string damage = damage_text(set, {}, i);
    table.blocks.back().rows.push_back(
        {0,
         fmt::format("{}", shard.header.location),
         {printable(shard.path.string()) + (damage.empty() ? "" : ": " + damage)}});
  }
  return table;
}

/// The latest generations of a set if there are several, since changes were made apart; else empty.
std::vector<const ShardSet*> made_apart(const FoundShards& found, const SetId& id) {
  std::vector<const ShardSet*> latest;
  for (const ShardSet& set : found.sets) {
    const auto is_later = [&](const ShardSet& other) {
      return &other != &set && other.header.set == id && came_before(set.header, other.header);
    };
    if (set.header.set == id && std::ranges::none_of(found.sets, is_later)) latest.push_back(&set);
  }
  return latest.size() > 1 ? latest : std::vector<const ShardSet*>{};
}

/// A chain of generations: "1 - 2-0badcafe". If there are many, the middle is left out.
std::string chain_text(const std::vector<std::uint64_t>& generations) {
  constexpr std::size_t kMostNamed = 4;
  std::vector<std::string> names;
  for (const std::uint64_t each : generations) names.push_back(generation_text(each));
  if (names.size() > kMostNamed) {
    names.erase(names.begin() + 1, names.end() - (kMostNamed - 2));
    names.insert(names.begin() + 1, "...");
  }
  return fmt::format("{}", fmt::join(names, " - "));
}

/// Draws the generations of sets that were changed apart as a tree; "" if there are none.
std::string histories_text(const FoundShards& found) {
  std::string text;
  std::vector<SetId> drawn;
  for (const ShardSet& each : found.sets) {
    const SetId& id = each.header.set;
    const std::vector<const ShardSet*> latest = made_apart(found, id);
    if (latest.empty() || std::ranges::find(drawn, id) != drawn.end()) continue;
    drawn.push_back(id);
    std::vector<std::uint64_t> common;
    const auto has_all = [&](std::uint64_t generation) {
      return std::ranges::all_of(latest, [&](const ShardSet* set) {
        return set->header.lineage && set->header.lineage->has(generation);
      });
    };
    if (latest.front()->header.lineage) {
      for (const std::uint64_t generation : latest.front()->header.lineage->generations()) {
        if (has_all(generation)) common.push_back(generation);
      }
    }
    text += fmt::format("{}apart       {}, changed apart: choose one with --set ID@GENERATION\n",
                        text.empty() ? "" : "\n", to_string(id));
    if (!common.empty()) text += "            " + wrapped(chain_text(common), 12) + "\n";
    for (const ShardSet* const set : latest) {
      std::vector<std::uint64_t> own;
      if (set->header.lineage) own = set->header.lineage->generations();
      std::erase_if(own, has_all);
      own.push_back(set->header.generation);
      text += fmt::format("            {} {}, {} of {} shards\n",
                          set == latest.back() ? "`-" : "|-", wrapped(chain_text(own), 15),
                          locations_present(*set).size(), set->header.locations);
    }
  }
  return text;
}

Json json_of(const FoundShards& found, const ShardSet& set) {
  const ShardHeader& header = set.header;
  const std::vector<LocationState> states = location_states(found, set, {});
  Json locations = Json::array();
  for (const LocationState& state : states) {
    locations.push_back({{"location", state.location}, {"state", to_string(state.kind)}});
  }
  Json shards = Json::array();
  for (const ShardFile& shard : set.shards) {
    shards.push_back({{"location", shard.header.location},
                      {"path", shard.path.string()},
                      {"defects", shard.defects}});
  }
  Json generations_before = Json::array();
  if (header.lineage) {
    for (const std::uint64_t each : header.lineage->generations()) {
      generations_before.push_back(generation_text(each));
    }
  }
  const std::optional<FileInfo> info = remembered(header);
  Json file;
  if (info) {
    file = {{"name", info->name},
            {"permissions", info->permissions},
            {"modified_seconds", info->modified_seconds},
            {"modified_nanoseconds", info->modified_nanoseconds}};
  }
  return {{"set", to_string(header.set)},
          {"generation", generation_text(header)},
          {"generations_before", generations_before},
          {"code", header.spec},
          {"file_bytes", header.file_bytes},
          {"stripes", num_blocks(header)},
          {"stripe_bytes", header.stripe_bytes},
          {"block_bytes", header.block_bytes},
          {"last_block_bytes", header.last_block_bytes},
          {"shard_bytes", shard_bytes(header)},
          {"file", file},
          {"archive_of_files", holds_files(header)},
          {"directories", losses_json(losses_of(set, states))},
          {"locations", locations},
          {"shards", shards}};
}

struct InfoOptions {
  std::vector<std::string> paths;
  std::string format = "text";
};

/// Adds the sets that were found. Notes the paths and files that are of no use.
void add_sets(Document& document, ReadAttempt& attempt) {
  const FoundShards& found = attempt.found();
  const bool are_all_whole = std::ranges::all_of(
      found.sets, [&](const ShardSet& set) { return are_whole(location_states(found, set, {})); });
  attempt.settle(are_all_whole && !found.sets.empty() && found.strays.empty());
  for (const std::string& sentence : found.unread) note(printable(sentence));
  for (const StrayFile& stray : found.strays) {
    note(printable(fmt::format("{}: {}", stray.path.string(), stray.why)));
  }
  if (found.sets.empty()) fail(Status::kIo, no_set_text(found));
  for (const ShardSet& set : found.sets) {
    document.data["sets"].push_back(json_of(found, set));
    document.add(facts(found, set));
    document.add(shards_table(set));
  }
  document.add(Drawn{histories_text(found)});
}

/// True if a path has the name of a protection file, and none is there.
bool is_lost_protection(const std::string& path) {
  std::error_code error;
  return has_protection_name(path) && !names_protection({path}) &&
         !std::filesystem::is_directory(path, error);
}

/// Describes what the paths hold, sets first. Errors: throws RecoverableDamage, after printing, if
/// records of an atlas are damaged; kDamaged, after printing, if an atlas is damaged beyond use; the
/// error of the first path if no path could be described.
void run(const InfoOptions& options) {
  std::vector<std::string> of_sets;
  std::vector<std::string> others;
  for (const std::string& path : options.paths) {
    std::error_code error;
    const bool is_there = std::filesystem::exists(path, error) || error;
    const bool is_other =
        names_protection({path}) || is_atlas(path) || is_lost_protection(path) || !is_there;
    (is_other ? others : of_sets).push_back(path);
  }
  Document document{"", {{"format", "xorloom-info"}, {"version", 2}}};
  for (const char* kind : {"sets", "protections", "atlases"}) document.data[kind] = Json::array();
  std::string damage;
  std::vector<Error> errors;
  std::optional<Error> useless;  // of the first atlas that is damaged beyond use
  const auto describe = [&](const auto& add) {
    try {
      add();
    } catch (const Error& error) {
      errors.push_back(error);
    }
  };
  if (!of_sets.empty()) {
    describe([&] {
      read_settled(paths_of(of_sets), [&](ReadAttempt& attempt) { add_sets(document, attempt); });
    });
  }
  for (const std::string& path : others) {
    describe([&] {
      const bool is_protection = names_protection({path}) || is_lost_protection(path);
      if (is_protection) return describe_protection(document, path);
      if (!is_atlas(path)) fail_on_io("read", path, ENOENT);
      try {
        const std::string sentence = add_atlas(document, Atlas(path));
        if (damage.empty()) damage = sentence;
      } catch (const Error& error) {
        if (error.kind() != Status::kDamaged) throw;
        if (useless) errors.push_back(error);
        if (!useless) useless.emplace(error);
      }
    });
  }
  if (document.parts.empty()) throw Error(useless ? *useless : errors.front());
  for (const Error& error : errors) note(printable(in_program_words(error.what())));
  for (const auto& [kind, name] :
       {std::pair{"sets", "Shards"}, {"protections", "Protected files"}, {"atlases", "Atlases"}}) {
    if (document.data[kind].size() == 0) continue;
    document.title += (document.title.empty() ? "" : ", ") + std::string(name);
  }
  print(written(document, options.format));
  if (useless && !damage.empty()) note(printable(damage));
  if (useless) throw Error(*useless);
  if (!damage.empty()) throw RecoverableDamage(damage);
}

}  // namespace

Command info_command() {
  Command command{"info", kInfoAbout, kInfoExamples};
  command.finds_damage = true;
  command.reads_data = true;
  const auto options = std::make_shared<InfoOptions>();
  add_arguments(command, "PATH", options->paths,
                "shards, directories of shards, protection files, or atlases");
  add_choice(command, "--format", options->format, {"text", "json", "html"},
             "output format; default: text");
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
