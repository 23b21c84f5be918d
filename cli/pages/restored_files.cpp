#include "cli/pages/restored_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/pages/name_lists.hpp"
#include "cli/pages/next_steps.hpp"
#include "cli/pages/protection_page.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/streams.hpp"

namespace xorloom::cli {
namespace {

namespace fs = std::filesystem;

/// The paths that were restored from whole files elsewhere, and these.
std::map<fs::path, fs::path> copied_from(const RestoredReport& report) {
  std::map<fs::path, fs::path> copies;
  const FoundSegments& found = report.check.found;
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    const FileState& state = found.files[file];
    if (state.kind != FileState::Kind::kMoved) continue;
    copies[report.to / report.protection.manifest.files[file].name] =
        found.sources[state.source].path;
  }
  return copies;
}

/// The number of protection files that are missing and have no place to be written to.
std::size_t num_unnamed(const Protection& protection) {
  return protection.missing.size() - protection.places.size();
}

/// Directories all of whose files were missing, and in which some were restored: a disk that is
/// mounted there hides them.
std::vector<fs::path> hidden_by_mounts(const RestoredReport& report) {
  std::vector<fs::path> hidden;
  if (!report.is_in_place) return hidden;
  for (const MissingDirectory& directory : report.check.found.away) {
    const fs::path path = directory.name.empty() ? report.to : report.to / directory.name;
    const bool has_restored = std::ranges::any_of(
        report.restored.rebuilt,
        [&](const fs::path& file) { return is_below(file.string(), path.string()); });
    if (has_restored) hidden.push_back(path);
  }
  return hidden;
}

Json paths_json(const std::vector<fs::path>& paths) {
  Json array = Json::array();
  for (const fs::path& path : paths) array.push_back(named_json(path.string(), "path"));
  return array;
}

/// Restored files, and the whole files elsewhere that some were copied from.
Json rebuilt_json(const RestoredReport& report) {
  const std::map<fs::path, fs::path> copies = copied_from(report);
  Json array = Json::array();
  for (const fs::path& path : report.restored.rebuilt) {
    Json entry = named_json(path.string(), "path");
    const auto from = copies.find(path);
    if (from != copies.end()) entry.update(named_json(from->second.string(), "from"));
    array.push_back(std::move(entry));
  }
  return array;
}

Json pairs_json(const std::vector<std::pair<fs::path, fs::path>>& pairs, const char* other) {
  Json array = Json::array();
  for (const auto& [path, second] : pairs) {
    Json entry = named_json(path.string(), "path");
    entry.update(named_json(second.string(), other));
    array.push_back(std::move(entry));
  }
  return array;
}

}  // namespace

void note_restored(const RestoredReport& report) {
  const RestoredFiles& restored = report.restored;
  const std::string would = report.is_trial ? "would be " : "";
  const auto list = [&](auto& write, const std::string& kind, const auto& all,
                        const auto& text_of) {
    std::vector<std::string> names;
    for (const auto& each : all) names.push_back(text_of(each));
    write_names(write, kind, std::move(names), report.lists_all);
  };
  const auto name = [](const fs::path& path) { return path.string(); };
  const auto itself = [](const std::string& sentence) { return sentence; };
  list(note, would + "moved back: ", restored.moved_back,
       [](const auto& each) { return each.second.string() + " to " + each.first.string(); });
  const std::map<fs::path, fs::path> copies = copied_from(report);
  list(note, would + "restored: ", restored.rebuilt, [&](const fs::path& path) {
    const auto from = copies.find(path);
    return path.string() + (from == copies.end()
                                ? ""
                                : fmt::format(", from {}, which stays", from->second.string()));
  });
  std::vector<std::string> kept;
  for (const auto& [path, now] : restored.kept) {
    std::error_code error;
    const fs::path target = fs::read_symlink(report.is_trial ? path : now, error);
    kept.push_back(fmt::format(
        fmt::runtime(report.is_trial ? "what is {}{} would be {}" : "what was {}{} is {} now"),
        path.string(), target.empty() ? "" : fmt::format(", a link to {},", target.string()),
        now.string()));
  }
  for (const std::string& line :
       shortened(std::move(kept), report.lists_all, would + "kept as NAME.damaged: ")) {
    note(printable(line));
  }
  list(note, would + "removed: ", restored.removed, name);
  list(note,
       "not removed, as it is no regular file, or its time is not that of the protected file, so "
       "that it may be an edit: ",
       restored.not_removed, name);
  list(note, "not removed, as nothing else that is whole has its content: ", restored.only_copies,
       name);
  list(note, would + "rewritten: ", restored.rewritten_parts, name);
  const std::vector<std::string>& unusable = report.protection.unusable;
  const std::size_t unplaced = unusable.size() - report.protection.places.size();
  if (unplaced != 0) list(note, "not used: ", unusable, itself);
  list(note, "not used: ", report.protection.older, itself);
  const std::size_t absent = num_unnamed(report.protection);
  if (const std::size_t unnamed = absent - std::min(absent, unplaced); unnamed != 0) {
    note(fmt::format(
        "{} of {} protection files {} not named: name them all, and repair writes "
        "those anew that are not there",
        unnamed, report.protection.parts.front().header.parts, unnamed == 1 ? "was" : "were"));
  }
  list(note, "already there, and whole: ", restored.already, name);
  const auto are_there = [](const fs::path& path) {
    std::error_code error;
    return fs::exists(fs::symlink_status(path, error));
  };
  std::vector<fs::path> lost = restored.lost;
  const auto missing = std::stable_partition(lost.begin(), lost.end(), are_there);
  list(say, "beyond repair, left as it is: ", std::vector(lost.begin(), missing), name);
  list(say, "missing, and beyond repair: ", std::vector(missing, lost.end()), name);
  list(say, "edited, and beyond repair what it was; left as it is: ", restored.edited, name);
  list(say, "another file has the name now, and what it was is beyond repair: ", restored.replaced,
       name);
  list(say, "cannot be read, and may be whole; left as it is: ", restored.unreadable, itself);
  list(say,
       "missing with all files of its directory, as if a disk were not mounted: ", restored.away,
       name);
  list(say,
       fmt::format("can be restored only {}; left as it is: ", blocked_text(report.check.found)),
       restored.blocked, name);
  list(say,
       would +
           "restored where all files were missing, as if a disk were not mounted; a disk that "
           "is mounted there hides them: ",
       hidden_by_mounts(report), name);
  const std::string base = other_base(report.protection, report.check.found);
  if (report.is_in_place && !base.empty() && !restored.rebuilt.empty()) {
    note("all that was found is elsewhere, " + base);
  }
  list(say, "", restored.failures, itself);
  list(say, "", restored.unremoved, itself);
}

Json restored_json(const RestoredReport& report) {
  const RestoredFiles& restored = report.restored;
  return {{"format", "xorloom-repair-protection"},
          {"version", 1},
          {"protection", to_string(report.protection.parts.front().header.id)},
          {"dry_run", report.is_trial},
          {"files", report.check.found.files.size()},
          {"restored_files", restored.files},
          {"restored", rebuilt_json(report)},
          {"moved_back", pairs_json(restored.moved_back, "from")},
          {"kept", pairs_json(restored.kept, "as")},
          {"removed", paths_json(restored.removed)},
          {"not_removed", paths_json(restored.not_removed)},
          {"only_copies", paths_json(restored.only_copies)},
          {"unremoved", restored.unremoved},
          {"rewritten", paths_json(restored.rewritten_parts)},
          {"parts_unnamed", num_unnamed(report.protection)},
          {"lost", paths_json(restored.lost)},
          {"edited", paths_json(restored.edited)},
          {"replaced", paths_json(restored.replaced)},
          {"already_there", paths_json(restored.already)},
          {"blocked", paths_json(restored.blocked)},
          {"missing", paths_json(restored.away)},
          {"unreadable", restored.unreadable},
          {"failures", restored.failures},
          {"bytes_without_room", restored.bytes_without_room},
          {"bytes_read", report.check.bytes_read},
          {"bytes_written", restored.bytes_written},
          {"seconds", report.seconds}};
}

}  // namespace xorloom::cli
