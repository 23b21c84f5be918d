#include "runtime/shards/shard_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/journal_view.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// The files of a directory, by name, so that what is printed does not depend on the disk; or a
/// file itself.
std::vector<fs::path> paths_in(const fs::path& directory) {
  std::vector<fs::path> paths;
  std::error_code error;
  if (fs::is_regular_file(directory, error)) return {directory};
  for (const std::string& name : names_in(directory)) paths.push_back(directory / name);
  return paths;
}

/// True if a path is one of a file's names, however its directory is spelled.
bool is_known(const fs::path& path, const std::vector<fs::path>& names) {
  return std::ranges::any_of(names, [&](const fs::path& name) {
    return name.filename() == path.filename() &&
           is_same_directory(directory_of(name), directory_of(path));
  });
}

/// Identity of a stray file, even if it cannot be opened; nullopt if it is no regular file.
std::optional<FileIdentity> identity_of_stray(const ShardFile& stray) {
  std::error_code error;
  if (stray.file.is_open()) return stray.file.identity();
  if (!fs::is_regular_file(fs::symlink_status(stray.path, error))) return std::nullopt;
  return file_identity(stray.path);
}

/// Throws if a file could not be opened for want of descriptors or memory.
void check_resources(const ShardFile& shard) {
  const int code = shard.file.error();
  if (code == EMFILE || code == ENFILE || code == ENOMEM) fail_on_io("read", shard.path, code);
}

/// "; not used: PATH: why": a few of the strays.
std::string describe_strays(const FoundShards& found) {
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostNamed, found.strays.size()); ++i) {
    text += fmt::format("; {}: {}", found.strays[i].path.string(), found.strays[i].why);
  }
  if (found.strays.size() > kMostNamed) {
    text += fmt::format("; and {} more like these", found.strays.size() - kMostNamed);
  }
  return text;
}

bool has_named_shard(const ShardSet& set) {
  return std::ranges::any_of(set.shards,
                             [](const ShardFile& shard) { return !is_pending_shard(shard.path); });
}

/// True if a shard of the set has been given its own name, even if it is a wreck by now. A wreck
/// does not say its generation: if others of its set have names, it was one of those.
bool is_finished(const ShardSet& set, const FoundShards& found) {
  if (has_named_shard(set)) return true;
  for (const FoundJournal& each : found.journals) {
    const bool is_made = each.state == FoundJournal::State::kCommitted;
    if (is_made && same_set(each.journal->after(), set.header)) return true;
  }
  const bool is_named_otherwise = std::ranges::any_of(found.sets, [&](const ShardSet& other) {
    return other.header.set == set.header.set && has_named_shard(other);
  });
  return !is_named_otherwise && std::ranges::any_of(found.strays, [&](const StrayFile& stray) {
    const auto name = parse_shard_name(stray.path.filename().string());
    return name && name->set == set.header.set && !name->is_temporary;
  });
}

/// True if the shards of a set may be those of a change that has a journal.
bool has_journal(const ShardSet& set, const FoundShards& found) {
  return std::ranges::any_of(found.journals, [&](const FoundJournal& each) {
    if (each.journal->kind() != Journal::Kind::kWhole) return each.set == set.header.set;
    return same_set(each.journal->after(), set.header);
  });
}

/// Removes the sets whose shards are all pending: they were never finished. Their files are
/// `incomplete` if there is a journal, as it must not be read without them, else `leftovers`.
void drop_unfinished(FoundShards& found) {
  std::vector<bool> is_kept;
  for (const ShardSet& set : found.sets) is_kept.push_back(is_finished(set, found));
  std::vector<ShardSet> kept;
  for (std::size_t i = 0; i < is_kept.size(); ++i) {
    ShardSet& set = found.sets[i];
    const bool stays = has_journal(set, found);
    for (const ShardFile& shard : set.shards) {
      if (is_kept[i]) break;
      if (stays) {
        found.incomplete.emplace_back(set.header.set, shard.path);
      } else {
        found.leftovers.push_back(shard.path);
      }
    }
    if (is_kept[i]) kept.push_back(std::move(set));
  }
  found.sets = std::move(kept);
}

/// Sorts pending files that are no shards into `incomplete`, if their set was found, and
/// `leftovers`.
void sort_pending(FoundShards& found, const std::vector<fs::path>& pending) {
  for (const fs::path& path : pending) {
    const SetId id = parse_shard_name(path.filename().string())->set;
    const bool is_found =
        std::ranges::any_of(found.sets, [&](const ShardSet& s) { return s.header.set == id; });
    if (is_found) {
      found.incomplete.emplace_back(id, path);
    } else {
      found.leftovers.push_back(path);
    }
  }
}

/// Gives all shards of each set the lineage that any of them has.
void share_lineages(FoundShards& found) {
  for (ShardSet& set : found.sets) {
    if (!set.header.lineage) continue;
    const auto known = std::ranges::find_if(
        set.shards, [](const ShardFile& shard) { return shard.header.lineage->is_known(); });
    if (known == set.shards.end()) continue;
    const Lineage lineage = *known->header.lineage;
    set.header.lineage = lineage;
    for (ShardFile& shard : set.shards) shard.header.lineage = lineage;
  }
}

/// False if there are fewer blocks than the data fills: no code gives it back from these.
bool may_have_enough(const ShardSet& set) {
  return locations_present(set).size() * set.header.block_bytes >= set.header.stripe_bytes;
}

/// True if `later` may have replaced `set`: it was encoded into a higher generation.
bool may_be_replaced(const ShardSet& set, const ShardSet& later) {
  const std::optional<Lineage>& lineage = later.header.lineage;
  std::uint64_t encoded = generation_count(later.header);
  if (lineage && lineage->is_known()) {
    encoded = lineage->base >> 32 == 0 ? lineage->base : lineage->base >> 32;
  }
  return generation_count(set.header) < encoded;
}

/// True if two sets remember names that differ.
bool is_of_other_file(const ShardSet& a, const ShardSet& b) {
  const auto name = remembered(a.header);
  const auto other = remembered(b.header);
  return name && other && name->name != other->name;
}

/// " (report.doc)": the name that a set remembers, if any.
std::string name_text(const ShardSet& set) {
  const auto file = remembered(set.header);
  return file ? " (" + printable(file->name) + ")" : "";
}

template <typename Sets>
auto find_set(Sets& sets, const ShardHeader& header) {
  const auto set = std::ranges::find_if(
      sets, [&](const ShardSet& candidate) { return same_set(candidate.header, header); });
  return set == sets.end() ? nullptr : &*set;
}

}  // namespace

ShardSet* set_of(std::vector<ShardSet>& sets, const ShardHeader& header) {
  return find_set(sets, header);
}

const ShardSet* set_of(const std::vector<ShardSet>& sets, const ShardHeader& header) {
  return find_set(sets, header);
}

void add_to_set(std::vector<ShardSet>& sets, ShardFile shard) {
  ShardSet* set = set_of(sets, shard.header);
  if (set == nullptr) {
    set = &sets.emplace_back();
    set->header = shard.header;
  }
  set->shards.push_back(std::move(shard));
}

FoundShards find_shards(std::span<const fs::path> paths) {
  FoundShards found;
  found.paths.assign(paths.begin(), paths.end());
  const auto add_unread = [&found](std::string why) {
    found.unread.push_back(why);
    found.unread_places.push_back(std::move(why));
  };
  std::vector<fs::path> files;
  for (const fs::path& path : paths) {
    try {
      const std::vector<fs::path> more = paths_in(path);
      files.insert(files.end(), more.begin(), more.end());
    } catch (const Error& error) {
      add_unread(error.what());
      if (found.unread.size() == paths.size()) throw;
    }
  }
  // If a file has two names, the one that is not hidden counts.
  std::stable_partition(files.begin(), files.end(),
                        [](const fs::path& path) { return !is_pending_shard(path); });
  std::map<FileIdentity, std::vector<fs::path>> names;  // names of each file, the one that counts
                                                        // first
  std::vector<fs::path> pending;
  std::vector<ShardFile> conflicting;
  for (const fs::path& path : files) {
    if (const auto name = parse_journal_name(path.filename().string())) {
      found.journals.push_back(
          {std::make_shared<const Journal>(path), name->set, name->is_temporary});
      continue;
    }
    const bool is_pending = is_pending_shard(path);
    ShardFile shard = open_shard(path);
    check_resources(shard);
    if (shard.kind == ShardFile::Kind::kOther) {
      if (std::ranges::find(paths, path) == paths.end()) continue;
      const int code = shard.file.is_open() ? 0 : shard.file.error();
      if (code == 0) {
        found.unread.push_back(path.string() + " is no shard");
      } else {
        add_unread(fmt::format("{} cannot be read: {}", path.string(), std::strerror(code)));
      }
      continue;
    }
    if (shard.file.is_open()) {
      std::vector<fs::path>& known = names[shard.file.identity()];
      if (is_known(path, known)) continue;
      known.push_back(path);
      if (known.size() > 1) {
        if (is_pending && !is_pending_shard(known.front())) pending.push_back(path);
        continue;
      }
    }
    if (shard.kind == ShardFile::Kind::kShard) {
      add_to_set(found.sets, std::move(shard));
    } else if (shard.kind == ShardFile::Kind::kWreck && is_pending) {
      pending.push_back(path);
    } else if (shard.last_header) {
      conflicting.push_back(std::move(shard));
    } else {
      found.strays.push_back(
          {path, shard.kind, shard.defects.front(), identity_of_stray(shard), shard.error});
    }
  }
  share_lineages(found);
  apply_journals(found, conflicting);
  share_lineages(found);
  for (const ShardFile& shard : conflicting) {
    found.strays.push_back(
        {shard.path, shard.kind, shard.defects.front(), shard.file.identity(), 0, shard.header});
  }
  for (ShardSet& set : found.sets) {
    for (ShardFile& shard : set.shards) {
      const std::vector<fs::path>& all = names[shard.file.identity()];
      std::copy_if(all.begin() + 1, all.end(), std::back_inserter(shard.other_names),
                   [](const fs::path& path) { return !is_pending_shard(path); });
    }
  }
  drop_unfinished(found);
  sort_pending(found, pending);
  for (ShardSet& set : found.sets) {
    std::ranges::stable_sort(set.shards, {}, [](const ShardFile& s) { return s.header.location; });
  }
  std::ranges::stable_sort(found.sets, std::ranges::greater(),
                           [](const ShardSet& set) { return generation_count(set.header); });
  return found;
}

std::uint64_t highest_generation(const FoundShards& found) {
  std::uint64_t highest = found.sets.empty() ? 0 : generation_count(found.sets.front().header);
  for (const FoundJournal& each : found.journals) {
    if (each.journal->kind() != Journal::Kind::kWhole) continue;
    highest = std::max(highest, generation_count(each.journal->after()));
  }
  return highest;
}

bool StrayFile::is_forbidden() const { return error == EACCES || error == EPERM; }

const StrayFile* unreadable_shard(const FoundShards& found, const ShardSet& set,
                                  std::uint32_t location) {
  const auto stray = std::ranges::find_if(found.strays, [&](const StrayFile& candidate) {
    return candidate.error != 0 &&
           is_shard_name_of(candidate.path.filename().string(), set.header.set, location);
  });
  return stray == found.strays.end() ? nullptr : &*stray;
}

Status kind_of_loss(const FoundShards& found, const ShardSet& set) {
  std::vector<bool> is_there(set.header.locations);
  for (const ShardFile& shard : set.shards) is_there[shard.header.location] = true;
  const bool has_all = std::ranges::all_of(is_there, [](bool there) { return there; });
  if (!has_all && !found.unread_places.empty()) return Status::kIo;
  for (std::uint32_t location = 0; location < set.header.locations; ++location) {
    if (!is_there[location] && unreadable_shard(found, set, location) != nullptr) {
      return Status::kIo;
    }
  }
  return Status::kDamaged;
}

std::string describe_others(const FoundShards& found, const ShardSet& meant) {
  constexpr std::size_t kMostNamed = 3;
  std::string unreadable;
  std::size_t named = 0;
  for (std::uint32_t location = 0; location < meant.header.locations; ++location) {
    const StrayFile* const shard = unreadable_shard(found, meant, location);
    if (shard == nullptr || ++named > kMostNamed) continue;
    unreadable += fmt::format("; {}: {}", shard->path.string(), shard->why);
  }
  if (named > kMostNamed) unreadable += fmt::format("; and {} more like these", named - kMostNamed);
  for (const std::string& place : found.unread_places) unreadable += "; " + place;
  if (!unreadable.empty()) unreadable += "; what cannot be read may be whole";
  std::string text;
  for (const ShardSet& set : found.sets) {
    const ShardHeader& header = set.header;
    if (&set == &meant || !may_have_enough(set)) continue;
    const bool has_generations = std::ranges::any_of(found.sets, [&](const ShardSet& other) {
      return &other != &set && other.header.set == header.set;
    });
    text +=
        fmt::format("; there is also {}, which option set {}{} chooses", describe(set),
                    to_string(header.set), has_generations ? "@" + generation_text(header) : "");
  }
  return unreadable + text;
}

std::string no_set_text(const FoundShards& found) {
  constexpr std::size_t kMostNamed = 4;
  std::string text = "no shard of any set was found in ";
  for (std::size_t i = 0; i < std::min(found.paths.size(), kMostNamed); ++i) {
    std::error_code error;
    const bool is_empty = std::filesystem::is_regular_file(found.paths[i], error) &&
                          std::filesystem::file_size(found.paths[i], error) == 0;
    text += (i == 0 ? "" : ", ") + found.paths[i].string() + (is_empty ? ", an empty file" : "");
  }
  if (found.paths.size() <= kMostNamed) return text;
  return text + fmt::format(" and {} more", found.paths.size() - kMostNamed);
}

const ShardSet& choose_set(const FoundShards& found, std::string_view name) {
  const std::size_t at = name.find('@');
  std::string digits(name.substr(0, at));
  std::ranges::transform(digits, digits.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string_view generation =
      at == std::string_view::npos ? std::string_view() : name.substr(at + 1);
  if (at != std::string_view::npos && generation.empty()) {
    fail(Status::kInvalidArgument, "'{}' has no generation behind its '@'", excerpt(name));
  }
  std::vector<const ShardSet*> candidates;
  for (const ShardSet& set : found.sets) {
    const bool is_meant = generation.empty() || generation_text(set.header).starts_with(generation);
    if (is_meant && to_string(set.header.set).starts_with(digits)) candidates.push_back(&set);
  }
  // A whole generation, such as 1, is not the beginning of another one, such as 12.
  const auto is_other = [&](const ShardSet* set) {
    return generation_text(set->header) != generation;
  };
  if (!std::ranges::all_of(candidates, is_other)) std::erase_if(candidates, is_other);
  if (found.sets.empty()) {
    fail(Status::kIo, no_set_text(found) + describe_strays(found));
  }
  if (candidates.empty()) {
    const auto has_id = [&](const ShardSet& set) {
      return to_string(set.header.set).starts_with(digits);
    };
    const auto found_id = std::ranges::find_if(found.sets, has_id);
    std::string sentence =
        found_id == found.sets.end() ? fmt::format("no set's id begins with '{}'", excerpt(digits))
        : digits.empty()             ? fmt::format("no set has generation {}", excerpt(generation))
                                     : fmt::format("set {} has no generation {}",
                                                   to_string(found_id->header.set), excerpt(generation));
    for (const ShardSet& set : found.sets) sentence += "; there is " + describe(set);
    fail(Status::kInvalidArgument, sentence);
  }
  const ShardSet& meant = *candidates.front();
  std::string rivals;
  for (const ShardSet* const set : candidates) {
    const bool other_id = set->header.set != candidates.front()->header.set;
    const bool is_as_new = generation_count(set->header) == generation_count(meant.header);
    const bool is_rival = other_id ? !digits.empty() || is_as_new ||
                                         (may_have_enough(*set) && !may_be_replaced(*set, meant))
                                   : !came_before(set->header, meant.header);
    if (set != &meant && is_rival) {
      rivals += "; " + describe(*set);
    }
  }
  for (const FoundJournal& each : found.journals) {
    const bool is_rival = each.state == FoundJournal::State::kApart && each.set == meant.header.set;
    if (!is_rival || !generation.empty()) continue;
    rivals += fmt::format("; {} tells of generation {}", each.journal->path().string(),
                          generation_text(each.journal->after()));
  }
  if (!rivals.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("there are several sets, choose one with option set: {}{}", describe(meant),
                     rivals));
  }
  return meant;
}

std::vector<const ShardSet*> sets_of_files(const FoundShards& found) {
  std::vector<const ShardSet*> sets;
  for (const ShardSet& set : found.sets) {
    const bool is_another = std::ranges::all_of(sets, [&](const ShardSet* known) {
      return is_of_other_file(*known, set) && !may_be_replaced(set, *known);
    });
    if (is_another && may_have_enough(set)) sets.push_back(&set);
  }
  if (sets.size() < 2) sets.clear();
  return sets;
}

std::string describe(const ShardSet& set) {
  return fmt::format("set {} of {}{}, generation {}, {} of {}", to_string(set.header.set),
                     counted(set.header.file_bytes, "byte"), name_text(set),
                     generation_text(set.header), locations_present(set).size(),
                     counted(set.header.locations, "shard"));
}

mode_t permissions_of(const ShardSet& set) {
  mode_t permissions = kAnyPermissions;
  for (const ShardFile& shard : set.shards) permissions &= shard.file.permissions();
  return permissions_within(permissions);
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
