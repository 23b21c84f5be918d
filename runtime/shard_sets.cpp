#include "runtime/shard_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <system_error>
#include <utility>

#include "codes/error.hpp"
#include "runtime/shard_name.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// The files of a directory, by name, so that what is printed does not depend on the disk; or a file itself.
std::vector<fs::path> paths_in(const fs::path& directory) {
  std::vector<fs::path> paths;
  std::error_code error;
  if (fs::is_regular_file(directory, error)) return {directory};
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    paths.push_back(entry->path());
  }
  if (error) {
    fail(Status::kInvalidArgument,
         fmt::format("cannot read the directory {}: {}", directory.string(), error.message()));
  }
  std::ranges::sort(paths);
  return paths;
}

/// Throws if a file could not be opened for a reason that is not its own.
void check_resources(const ShardFile& shard) {
  const int code = shard.file.error();
  if (code != EMFILE && code != ENFILE && code != ENOMEM) return;
  fail(Status::kIo, fmt::format("cannot read {}: {}", shard.path.string(), std::strerror(code)));
}

void add_to_set(std::vector<ShardSet>& sets, ShardFile shard) {
  auto set = std::ranges::find_if(
      sets, [&](const ShardSet& candidate) { return same_set(candidate.header, shard.header); });
  if (set == sets.end()) {
    sets.emplace_back().header = shard.header;
    set = sets.end() - 1;
  }
  set->shards.push_back(std::move(shard));
}

bool has_named_shard(const ShardSet& set) {
  return std::ranges::any_of(set.shards,
                             [](const ShardFile& s) { return !is_pending_shard(s.path); });
}

/// Takes out the sets whose shards are all pending: they were never finished.
void drop_unfinished(FoundShards& found) {
  std::vector<ShardSet> kept;
  for (ShardSet& set : found.sets) {
    if (has_named_shard(set)) {
      kept.push_back(std::move(set));
      continue;
    }
    for (const ShardFile& shard : set.shards) found.leftovers.push_back(shard.path);
  }
  found.sets = std::move(kept);
}

void sort_incomplete(FoundShards& found, const std::vector<fs::path>& pending) {
  for (const fs::path& path : pending) {
    const SetId id = parse_shard_name(path.filename().string())->set;
    const bool is_needed =
        std::ranges::any_of(found.sets, [&](const ShardSet& s) { return s.header.set == id; });
    if (is_needed) {
      found.incomplete.emplace_back(id, path);
    } else {
      found.leftovers.push_back(path);
    }
  }
}

}  // namespace

FoundShards find_shards(std::span<const fs::path> paths) {
  FoundShards found;
  std::set<FileIdentity> seen;
  std::vector<fs::path> unreadable_pending;
  for (const fs::path& directory : paths) {
    for (const fs::path& path : paths_in(directory)) {
      ShardFile shard = open_shard(path);
      check_resources(shard);
      if (shard.kind == ShardFile::Kind::kNone) continue;
      if (shard.file.is_open() && !seen.insert(shard.file.identity()).second) continue;
      if (shard.kind == ShardFile::Kind::kShard) {
        add_to_set(found.sets, std::move(shard));
      } else if (shard.kind == ShardFile::Kind::kWreck && is_pending_shard(path)) {
        unreadable_pending.push_back(path);
      } else {
        found.strays.push_back({path, shard.kind, shard.defects.front(), shard.file.identity()});
      }
    }
  }
  drop_unfinished(found);
  sort_incomplete(found, unreadable_pending);
  for (ShardSet& set : found.sets) {
    std::ranges::stable_sort(set.shards, {}, [](const ShardFile& s) { return s.header.location; });
  }
  std::ranges::stable_sort(found.sets, std::ranges::greater(),
                           [](const ShardSet& set) { return set.header.generation; });
  return found;
}

const ShardSet& choose_set(const FoundShards& found, std::string_view digits) {
  std::vector<const ShardSet*> candidates;
  for (const ShardSet& set : found.sets) {
    if (to_string(set.header.set).starts_with(digits)) candidates.push_back(&set);
  }
  if (found.sets.empty()) fail(Status::kDamaged, "there is no shard of any set");
  if (candidates.empty()) {
    std::string sentence = fmt::format("no set's id begins with '{}'", digits);
    for (const ShardSet& set : found.sets) sentence += "; there is " + describe(set);
    fail(Status::kInvalidArgument, sentence);
  }
  const ShardSet& meant = *candidates.front();
  std::string rivals;
  for (const ShardSet* const set : candidates) {
    const bool other_id = set->header.set != candidates.front()->header.set;
    const bool same_generation = set->header.generation == meant.header.generation;
    if (set != &meant && (same_generation || (!digits.empty() && other_id))) {
      rivals += "; " + describe(*set);
    }
  }
  if (!rivals.empty()) {
    fail(Status::kDamaged, fmt::format("more than one set can be meant, and --set chooses: {}{}",
                                       describe(meant), rivals));
  }
  return meant;
}

std::string describe(const ShardSet& set) {
  return fmt::format("set {} of {} bytes, generation {}, {} of {} shards",
                     to_string(set.header.set), set.header.file_bytes, set.header.generation,
                     locations_present(set).size(), set.header.locations);
}

std::vector<std::size_t> locations_present(const ShardSet& set) {
  std::vector<std::size_t> locations;
  for (const ShardFile& shard : set.shards) {
    if (locations.empty() || locations.back() != shard.header.location) {
      locations.push_back(shard.header.location);
    }
  }
  return locations;
}

}  // namespace xorloom
