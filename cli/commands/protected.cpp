#include "cli/commands/protected.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/document/writers.hpp"
#include "cli/pages/name_lists.hpp"
#include "cli/pages/protection_page.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/shards/shard_name.hpp"
#include "runtime/upkeep/protection_check.hpp"
#include "runtime/upkeep/restore_files.hpp"

namespace xorloom::cli {
namespace {

namespace fs = std::filesystem;
using FileKind = FileState::Kind;

struct Opened {
  Protection protection;
  fs::path base;
  std::vector<fs::path> others;
};

/// The directory of protection file 1, in whatever order the files are given. nullopt: it is not
/// known.
std::optional<fs::path> own_base(const Protection& protection) {
  const ProtectionPart& part = protection.parts.front();
  if (part.header.part == 0) return directory_of(part.path);
  for (const PlaceOfPart& place : protection.places) {
    if (place.header.part == 0) return directory_of(place.path);
  }
  return std::nullopt;
}

/// True if a protected file is in the base directory under its name, whatever it holds.
bool is_there(const fs::path& base, const ProtectedFile& file) {
  std::error_code error;
  return fs::exists(fs::symlink_status(base / file.name, error));
}

/// The directory to which names are relative: --base, else that of protection file 1. If no file is
/// there, the one of task.bases that has the most files.
fs::path base_of(const ProtectedPlace& task, const Protection& protection) {
  if (!task.base.empty()) return task.base;
  const std::vector<ProtectedFile>& files = protection.manifest.files;
  std::optional<fs::path> base = own_base(protection);
  const auto is_in_base = [&](const ProtectedFile& file) { return is_there(*base, file); };
  if (!base || (!task.bases.empty() && std::ranges::none_of(files, is_in_base))) {
    std::ptrdiff_t most = 0;
    for (const std::string& other : task.bases) {
      const auto there = std::ranges::count_if(
          files, [&](const ProtectedFile& file) { return is_there(other, file); });
      if (there <= most) continue;
      most = there;
      base = other;
    }
  }
  if (base) return *base;
  const ProtectionPart& part = protection.parts.front();
  fail(Status::kInvalidArgument,
       fmt::format(
           "{} is file {} of {}, and names are relative to the directory of file 1: say with "
           "--base which one that is",
           part.path.string(), part.header.part + 1, part.header.parts));
}

/// Throws if a place to search holds shards: nobody would look at them.
void check_no_shards(const fs::path& place, const fs::path& part) {
  std::error_code error;
  if (!fs::is_directory(place, error)) return;
  const std::vector<std::string> names = names_in(place, error);
  const bool has_shard = std::ranges::any_of(
      names, [](const std::string& name) { return parse_shard_name(name).has_value(); });
  if (!has_shard) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} holds shards of a set, and {} is a protection file: look at each alone, or "
                   "at both with verify --all",
                   place.string(), part.string()));
}

Opened open(const ProtectedPlace& task) {
  std::vector<fs::path> parts;
  std::vector<fs::path> others;
  for (const std::string& path : task.paths) {
    (is_vacant(path) || has_part_header(path) ? parts : others).emplace_back(path);
  }
  for (const fs::path& other : others) {
    check_no_shards(other, parts.front());
    std::error_code error;
    if (has_protection_name(other.string()) && fs::is_regular_file(other, error)) {
      say(printable(
          fmt::format("{} is no protection file, or is damaged beyond use; it was searched "
                      "for moved files",
                      other.string())));
    }
  }
  Protection protection = open_protection(parts, reading_bounds(task.allow_large));
  const fs::path base = base_of(task, protection);
  std::error_code error;
  if (!fs::is_directory(base, error)) {
    fail(Status::kIo, fmt::format("{} is not a directory that is there", base.string()));
  }
  return {std::move(protection), base, std::move(others)};
}

/// The directory of the names, unless it is that of protection file 1.
std::string base_text(const Opened& opened) {
  const std::optional<fs::path> own = own_base(opened.protection);
  return own && is_same_directory(*own, opened.base) ? "" : opened.base.string();
}

/// Throws kIo if no protected file is there, and nothing of any was found elsewhere: the files are
/// on a disk that is not mounted, or names are relative to another directory. --base says that they
/// are not.
void check_base(const ProtectedPlace& task, const Opened& opened, const ProtectionCheck& check) {
  const auto is_missing = [](const FileState& state) { return state.kind == FileKind::kMissing; };
  const auto is_found = [](const SegmentPlace& place) { return place.is_found(); };
  const bool is_none_there = check.found.files.size() > 1 &&
                             std::ranges::all_of(check.found.files, is_missing) &&
                             std::ranges::none_of(check.found.places, is_found);
  if (!is_none_there || !task.base.empty()) return;
  fail(Status::kIo,
       fmt::format("none of {} protected files is in {}, as if a disk were not mounted; --base "
                   "says where they are; if they are missing, --base {} says so",
                   check.found.files.size(), opened.base.string(), opened.base.string()));
}

/// kIo if the system refuses to read files that might help, else kDamaged.
Status kind_of_loss(const ProtectionCheck& check) {
  const bool is_refused = count_files(check, FileKind::kUnreadable) != 0 ||
                          std::ranges::any_of(check.lost, [&](const LostBytes& lost) {
                            return check.found.files[lost.file].error != 0;
                          });
  return is_refused ? Status::kIo : Status::kDamaged;
}

/// Throws kIo if `unreadable`, a number of files, is not 0.
void check_readable(std::size_t unreadable) {
  if (unreadable == 0) return;
  fail(Status::kIo,
       fmt::format("{} cannot be read, and may be whole", counted(unreadable, "file")));
}

/// "1 was moved", "3 were moved".
std::string were(std::size_t files, const char* what) {
  return fmt::format("{} {} {}", files, files == 1 ? "was" : "were", what);
}

/// Counts the files that are not as they were protected, and says what can be done. "" if all are.
std::string troubles_text(const ProtectionCheck& check) {
  const std::size_t damaged = count_files(check, FileKind::kDamaged);
  const std::size_t moved = count_files(check, FileKind::kMoved);
  const std::size_t missing = count_files(check, FileKind::kMissing);
  const std::size_t edited = count_files(check, FileKind::kEdited);
  std::string text;
  if (damaged != 0) {
    text = fmt::format("{} {} damaged, and repair restores {}", counted(damaged, "file"),
                       damaged == 1 ? "is" : "are", damaged == 1 ? "it" : "them");
  }
  std::vector<std::string> changes;
  if (moved != 0) changes.push_back(were(moved, "moved"));
  if (missing != 0)
    changes.push_back(fmt::format("{} {} missing", missing, missing == 1 ? "is" : "are"));
  if (edited != 0) changes.push_back(were(edited, "edited"));
  if (changes.empty()) return text;
  const char* const them = missing == 1 ? "it" : "them";
  const std::string ways =
      moved + edited == 0
          ? fmt::format("repair brings {0} back, and protect --update no longer protects {0}", them)
          : fmt::format(
                "repair brings back what they were, and protect --update takes in what they "
                "are{}",
                missing == 0 ? "" : ", and gives up what is missing");
  text += fmt::format("{}of {}, {}: {}", text.empty() ? "" : "; ",
                      counted(check.found.files.size(), "protected file"), fmt::join(changes, ", "),
                      ways);
  if (const std::uint64_t lost = unrecoverable_bytes(check, true); lost != 0) {
    text += fmt::format("; {} of edited files cannot be brought back", counted(lost, "byte"));
  }
  return text;
}

void check_whole(const CheckedProtection& checked) {
  const Protection& protection = checked.protection;
  const ProtectionCheck& check = checked.check;
  if (const std::uint64_t lost = unrecoverable_bytes(check, false); lost != 0) {
    fail(kind_of_loss(check), counted(lost, "byte") + " of protected files are lost");
  }
  check_readable(count_files(check, FileKind::kUnreadable));
  if (check.is_whole(protection)) return;
  if (const std::string text = troubles_text(check); !text.empty()) throw RecoverableDamage(text);
  const std::size_t given = protection.parts.size();
  const std::size_t made = protection.parts.front().header.parts;
  const std::string sentence =
      given != made
          ? fmt::format("{} of {} protection files can be used{}", given, made,
                        protection.places.empty() ? "" : "; repair writes the others anew")
          : std::string("their protection is damaged; repair rewrites it if they are whole");
  throw RecoverableDamage(checked.has_read_files ? "the files are whole, but " + sentence
                                                 : sentence + "; the files were not read");
}

/// The protected files that names mean, which are those of files or of directories: as they were
/// protected, or paths. By file; empty if there are no names.
std::vector<bool> files_named(const Opened& opened, const std::vector<std::string>& names) {
  const std::vector<ProtectedFile>& files = opened.protection.manifest.files;
  std::vector<bool> named(names.empty() ? 0 : files.size());
  for (const std::string& name : names) {
    std::error_code error;
    const fs::path as_path = fs::weakly_canonical(name, error)
                                 .lexically_relative(fs::weakly_canonical(opened.base, error));
    bool is_one = false;
    for (const std::string& wanted :
         {fs::path(name).lexically_normal().string(), as_path.string()}) {
      const std::string directory = wanted.ends_with('/') ? wanted : wanted + "/";
      for (std::size_t file = 0; file < files.size(); ++file) {
        if (files[file].name != wanted && !files[file].name.starts_with(directory)) continue;
        named[file] = true;
        is_one = true;
      }
      if (is_one) break;
    }
    if (!is_one) {
      fail(Status::kInvalidArgument,
           fmt::format("--only: no protected file is '{}' or in a directory of that name",
                       excerpt(name)));
    }
  }
  return named;
}

/// The paths that were restored from whole files elsewhere, and these.
std::map<fs::path, fs::path> copied_from(const Opened& opened, const ProtectionCheck& check,
                                         const fs::path& to) {
  std::map<fs::path, fs::path> copies;
  for (std::size_t file = 0; file < check.found.files.size(); ++file) {
    const FileState& state = check.found.files[file];
    if (state.kind != FileKind::kMoved) continue;
    copies[to / opened.protection.manifest.files[file].name] =
        check.found.sources[state.source].path;
  }
  return copies;
}

/// The number of protection files that are missing and have no place to be written to.
std::size_t num_unnamed(const Protection& protection) {
  return protection.missing.size() - protection.places.size();
}

/// Notes what was done or, in a trial, what would be. What could not be done is said with -q, too.
void note_restored(const RepairTask& task, const Opened& opened, const ProtectionCheck& check,
                   const RestoredFiles& restored, const fs::path& to) {
  const std::string would = task.is_trial ? "would be " : "";
  const auto list = [&](auto& write, const std::string& kind, const auto& all,
                        const auto& text_of) {
    std::vector<std::string> names;
    for (const auto& each : all) names.push_back(text_of(each));
    write_names(write, kind, std::move(names), task.lists_all);
  };
  const auto name = [](const fs::path& path) { return path.string(); };
  list(note, would + "moved back: ", restored.moved_back,
       [](const auto& each) { return each.second.string() + " to " + each.first.string(); });
  const std::map<fs::path, fs::path> copies = copied_from(opened, check, to);
  list(note, would + "restored: ", restored.rebuilt, [&](const fs::path& path) {
    const auto from = copies.find(path);
    return path.string() + (from == copies.end()
                                ? ""
                                : fmt::format(", from {}, which stays", from->second.string()));
  });
  list(note, task.is_trial ? "what is " : "what was ", restored.kept, [&](const auto& each) {
    return fmt::format("{} {} {}{}", each.first.string(), task.is_trial ? "would be" : "is",
                       each.second.string(), task.is_trial ? "" : " now");
  });
  list(note, would + "removed: ", restored.removed, name);
  list(note,
       "not removed, as its time is not that of the protected file, so that it may be an edit: ",
       restored.not_removed, name);
  list(note, would + "rewritten: ", restored.rewritten_parts, name);
  if (const std::size_t unnamed = num_unnamed(opened.protection); unnamed != 0) {
    note(fmt::format(
        "{} of {} protection files {} not named, or no such file any more: repair "
        "writes a file anew if it is named and is not there",
        unnamed, opened.protection.parts.front().header.parts, unnamed == 1 ? "was" : "were"));
  }
  const auto itself = [](const std::string& sentence) { return sentence; };
  list(say, "beyond repair, left as it is: ", restored.lost, name);
  list(say, "cannot be read, and may be whole; left as it is: ", restored.unreadable, itself);
  list(say, "", restored.failures, itself);
}

Json paths_json(const std::vector<fs::path>& paths) {
  Json array = Json::array();
  for (const fs::path& path : paths) array.push_back(named_json(path.string(), "path"));
  return array;
}

Json pairs_json(const std::vector<std::pair<fs::path, fs::path>>& pairs, const char* other) {
  Json array = Json::array();
  for (const auto& [path, second] : pairs) {
    Json entry = named_json(path.string(), "path");
    entry[other] = second.string();
    array.push_back(std::move(entry));
  }
  return array;
}

Json json_of(const RepairTask& task, const Opened& opened, const ProtectionCheck& check,
             const RestoredFiles& restored, double seconds) {
  return {{"format", "xorloom-repair-protection"},
          {"version", 1},
          {"protection", to_string(opened.protection.parts.front().header.id)},
          {"dry_run", task.is_trial},
          {"files", check.found.files.size()},
          {"restored_files", restored.files},
          {"restored", paths_json(restored.rebuilt)},
          {"moved_back", pairs_json(restored.moved_back, "from")},
          {"kept", pairs_json(restored.kept, "as")},
          {"removed", paths_json(restored.removed)},
          {"not_removed", paths_json(restored.not_removed)},
          {"rewritten", paths_json(restored.rewritten_parts)},
          {"lost", paths_json(restored.lost)},
          {"unreadable", restored.unreadable},
          {"failures", restored.failures},
          {"bytes_read", check.bytes_read},
          {"bytes_written", restored.bytes_written},
          {"seconds", seconds}};
}

/// The bytes that cannot be recovered of files that are asked for.
std::uint64_t lost_bytes_of(const ProtectionCheck& check, const std::vector<bool>& only) {
  std::uint64_t bytes = 0;
  for (const LostBytes& lost : check.lost) {
    if (only.empty() || only[lost.file]) bytes += lost.end - lost.begin;
  }
  return bytes;
}

}  // namespace

bool has_protection_name(const std::string& path) {
  return fs::path(path).extension() == ".xorloom";
}

void check_protection_names(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (!has_protection_name(path)) continue;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
      fail(Status::kIo, fmt::format("{} does not exist", path));
    }
    if (fs::is_regular_file(status)) {
      fail(Status::kIo,
           fmt::format("{} is empty, or damaged beyond use; the files were not read", path));
    }
  }
}

bool names_protection(const std::vector<std::string>& paths) {
  return std::ranges::any_of(paths, [](const std::string& path) { return has_part_header(path); });
}

void describe_protection(Document& document, const std::string& path) {
  add_described(document, open_protection({path}, lifted_bounds()));
}

void add_protection_files(Command& command) {
  command.options.push_back({CommandOption::Kind::kArguments, "FILE", "",
                             "in place of DIR: a protection file of protect. Other files and "
                             "directories beside it are where files that moved are looked for"});
}

void add_base(Command& command, std::string& base) {
  add_word(command, "--base", "DIR", base,
           "with a protection file of protect: the directory that its names are relative to; "
           "default: the one that it is in");
}

void refuse_for_protection(bool given, const char* option) {
  if (!given) return;
  fail(Status::kInvalidArgument, fmt::format("{} is not for protection files", option));
}

void refuse_without_protection(bool given, const char* option) {
  if (!given) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} needs a protection file, and none is named", option));
}

void verify_protected(const VerifyTask& task) {
  const Stopwatch all;
  const Opened opened = open(task.where);
  Progress progress;
  ProtectionCheck check;
  std::vector<std::string> unprotected;
  {
    const ProgressLine line(progress);
    const std::size_t threads = pipeline_threads(task.where.run);
    if (task.is_alone) {
      check = check_redundancy(opened.protection, threads, progress);
    } else {
      check = check_protection(opened.protection, opened.base, opened.others, threads, progress);
      check_base(task.where, opened, check);
      unprotected = unprotected_files(opened.protection, check.found, opened.base);
    }
  }
  const bool lists_all = task.lists_all || task.format == "html";
  const CheckedProtection checked{opened.protection, check,     unprotected,
                                  !task.is_alone,    lists_all, base_text(opened),
                                  all.seconds()};
  const std::string text = task.format == "prometheus"
                               ? protection_metrics({checked})
                               : written(checked_document(checked), task.format);
  task.show ? task.show(text) : print(text);
  check_whole(checked);
}

void repair_protected(const RepairTask& task) {
  const Stopwatch all;
  const Opened opened = open(task.where);
  const RestoreRequest request{.base = opened.base,
                               .to = task.to,
                               .only = files_named(opened, task.only),
                               .removes_kept = task.removes_kept,
                               .is_trial = task.is_trial,
                               .options = task.where.run};
  Progress progress;
  ProtectionCheck check;
  RestoredFiles restored;
  {
    const ProgressLine line(progress);
    check = check_protection(opened.protection, opened.base, opened.others,
                             pipeline_threads(task.where.run), progress);
    if (task.to.empty()) check_base(task.where, opened, check);
    restored = restore_files(opened.protection, check, request, progress);
  }
  note_restored(task, opened, check, restored, task.to.empty() ? opened.base : fs::path(task.to));
  note(fmt::format("{} {} of {} protected files: read {} to find damage, wrote {}, {:.3f} s",
                   task.is_trial ? "would restore" : "restored", restored.files,
                   check.found.files.size(), bytes_text(check.bytes_read),
                   bytes_text(restored.bytes_written), all.seconds()));
  if (task.format == "json") {
    print(json_of(task, opened, check, restored, all.seconds()).dump(2) + "\n");
  }
  if (!restored.failures.empty()) {
    fail(Status::kIo, fmt::format("{} could not be restored, and can be once the system lets it",
                                  counted(restored.failures.size(), "file")));
  }
  if (restored.lost.empty()) return check_readable(restored.unreadable.size());
  fail(kind_of_loss(check),
       fmt::format("{} of {} lost", counted(lost_bytes_of(check, request.only), "byte"),
                   counted(restored.lost.size(), "file") +
                       (lost_bytes_of(check, request.only) == 1 ? " is" : " are")));
}

}  // namespace xorloom::cli
