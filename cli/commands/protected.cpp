#include "cli/commands/protected.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/document/writers.hpp"
#include "cli/pages/next_steps.hpp"
#include "cli/pages/protected_base.hpp"
#include "cli/pages/protection_metrics.hpp"
#include "cli/pages/protection_page.hpp"
#include "cli/pages/restored_files.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/missing_files.hpp"
#include "runtime/shards/shard_name.hpp"
#include "runtime/upkeep/files_there.hpp"
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
  std::vector<fs::path> doubles;  ///< further directories that have files like the protected ones
};

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
      check_opens(other.string());
      say(printable(
          fmt::format("{} is no protection file, or is damaged beyond use; it was searched "
                      "for moved files",
                      other.string())));
    }
  }
  Protection protection = open_protection(parts, reading_bounds(task.allow_large));
  const BasePlaces places{task.base, task.bases, task.likely_bases};
  const fs::path base = base_of(places, protection);
  std::error_code error;
  if (!fs::is_directory(base, error)) {
    fail(Status::kIo, fmt::format("{} is not a directory that is there", base.string()));
  }
  std::vector<fs::path> doubles = doubles_of(places, protection, base);
  others.insert(others.end(), doubles.begin(), doubles.end());
  return {std::move(protection), base, std::move(others), std::move(doubles)};
}

/// The directory of the names, unless it is that of protection file 1.
std::string base_text(const Opened& opened) {
  const std::optional<fs::path> own = own_base(opened.protection);
  return own && is_same_directory(*own, opened.base) ? "" : opened.base.string();
}

/// Throws kIo if other files have the names of the protected ones: see place_of_others().
void check_no_others(const Opened& opened, const ProtectionCheck& check, bool is_base_given,
                     const char* before_way = "", const char* after_way = "") {
  if (!check.found.others) return;
  fail(
      Status::kIo,
      fmt::format("{}; {}{}{}", others_text(*check.found.others), before_way,
                  right_disk_text(is_base_given || *check.found.others != opened.base), after_way));
}

/// Throws kIo if no protected file is there, and nothing of any was found elsewhere: the files are
/// on a disk that is not mounted, or names are relative to another directory.
void check_base(const Opened& opened, const ProtectionCheck& check) {
  const auto is_missing = [](const FileState& state) { return state.kind == FileKind::kMissing; };
  const auto is_found = [](const SegmentPlace& place) { return place.is_found(); };
  const bool is_none_there = check.found.files.size() > 1 &&
                             std::ranges::all_of(check.found.files, is_missing) &&
                             std::ranges::none_of(check.found.places, is_found);
  if (!is_none_there) return;
  fail(Status::kIo,
       fmt::format("none of {} protected files is in {}, as if a disk were not mounted; --base "
                   "says where they are; if all of them are gone, repair --to DIR restores them",
                   check.found.files.size(), opened.base.string()));
}

/// kIo if the system refuses to read files that might help, else kDamaged.
Status kind_of_loss(const ProtectionCheck& check) {
  const bool is_refused = std::ranges::any_of(check.lost, [&](const LostBytes& lost) {
    return loss_of(check, lost) == Loss::kLost && check.found.files[lost.file].error != 0;
  });
  return is_refused ? Status::kIo : Status::kDamaged;
}

/// Throws kIo if `unreadable`, a number of files, is not 0. Says other troubles, too, if any.
void check_readable(std::size_t unreadable, const std::string& troubles = {}) {
  if (unreadable == 0) return;
  fail(Status::kIo, fmt::format("{}{}{} cannot be read, and may be whole", troubles,
                                troubles.empty() ? "" : "; ", counted(unreadable, "file")));
}

/// Throws if links stand where files or directories were.
void check_links(const CheckedProtection& checked) {
  if (checked.linked.empty()) return;
  const std::string troubles = troubles_text(checked);
  throw RecoverableDamage(fmt::format(
      "{}{}{} where protected files were: protect --update protects nothing behind {}", troubles,
      troubles.empty() ? "" : "; ",
      checked.linked.size() == 1 ? "a symbolic link is"
                                 : fmt::format("{} symbolic links are", checked.linked.size()),
      checked.linked.size() == 1 ? "it" : "them"));
}

/// Throws kIo if bytes are missing, and all that was found is in another base directory, maybe.
void check_not_elsewhere(const Protection& protection, const ProtectionCheck& check) {
  const std::string text = elsewhere_text(protection, check);
  if (!text.empty()) fail(Status::kIo, text + search_way(check));
}

/// Throws kIo if bytes are missing with all files of a directory, as if a disk were not mounted.
void check_mounted(const ProtectionCheck& check, const fs::path& base) {
  std::uint64_t bytes = 0;
  for (const LostBytes& lost : check.lost) {
    if (check.found.files[lost.file].is_away) bytes += lost.end - lost.begin;
  }
  if (bytes == 0) return;
  fail(Status::kIo, fmt::format("{}, as if a disk were not mounted; if they are gone, {} cannot be "
                                "restored{}",
                                missing_text(check.found.away, base), counted(bytes, "byte"),
                                search_way(check)));
}

void check_whole(const CheckedProtection& checked) {
  const Protection& protection = checked.protection;
  const ProtectionCheck& check = checked.check;
  check_not_elsewhere(protection, check);
  if (const std::uint64_t lost = bytes_beyond_repair(check, Loss::kLost); lost != 0) {
    fail(kind_of_loss(check),
         counted(lost, "byte") + " of protected files are lost" + search_way(check));
  }
  check_mounted(check, checked.directory);
  check_readable(count_files(check, FileKind::kUnreadable), troubles_text(checked));
  check_links(checked);
  if (check.is_whole(protection)) return;
  const std::size_t given = protection.parts.size();
  const std::size_t made = protection.parts.front().header.parts;
  const std::string parts =
      given == made ? ""
                    : fmt::format("{} of {} protection files can be used{}", given, made,
                                  protection.places.empty()
                                      ? "; name all of them, also those that are gone: repair "
                                        "writes these anew"
                                      : "; repair writes the others anew");
  if (const std::string text = troubles_text(checked); !text.empty()) {
    throw RecoverableDamage(text + (parts.empty() ? "" : "; ") + parts);
  }
  if (!checked.has_read_files) {
    throw RecoverableDamage(
        (parts.empty() ? "the protection is damaged; repair rewrites it if the files are whole"
                       : parts) +
        "; the files were not read");
  }
  throw RecoverableDamage(
      "the files are whole, but " +
      (parts.empty() ? "their protection is damaged; repair rewrites it" : parts));
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

/// The bytes that cannot be recovered of files that are asked for, and that were not edited.
std::uint64_t lost_bytes_of(const ProtectionCheck& check, const std::vector<bool>& only) {
  std::uint64_t bytes = 0;
  for (const LostBytes& lost : check.lost) {
    if (loss_of(check, lost) != Loss::kLost) continue;
    if (only.empty() || only[lost.file]) bytes += lost.end - lost.begin;
  }
  return bytes;
}

/// Says how many bytes are lost for good; "" if none are.
std::string lost_text(const ProtectionCheck& check, const RestoredFiles& restored,
                      const RestoreRequest& request) {
  if (restored.lost.empty()) return "";
  const std::uint64_t bytes = lost_bytes_of(check, request.only);
  return fmt::format("{} of {} {} lost{}", counted(bytes, "byte"),
                     counted(restored.lost.size(), "file"), bytes == 1 ? "is" : "are",
                     search_way(check));
}

}  // namespace

void check_opens(const std::string& path) {
  const OpenFile file(path);
  std::array<std::uint8_t, 1> first{};
  const int code = file.is_open() ? file.read_at(0, first) : file.error();
  if (code > 0) fail_on_io("read", path, code);
}

bool has_protection_name(const std::string& path) {
  return fs::path(path).extension() == ".xorloom";
}

void check_protection_names(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (!has_protection_name(path)) continue;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) continue;
    static_cast<void>(open_protection({path}, {}));  // throws what is wrong with it
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
  add_text(command, "--base", "DIR", base,
           "with a protection file: the directory that names are relative to; default: its own");
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
  std::vector<std::string> linked;
  {
    const ProgressLine line(progress);
    const std::size_t threads = pipeline_threads(task.where.run);
    if (task.is_alone) {
      check = check_redundancy(opened.protection, threads, progress);
    } else {
      for (const fs::path& other : opened.doubles) {
        say(printable(fmt::format(
            "{} has files of the same names, sizes and times as those that {} protects in {}; what "
            "is missing is searched for there, and --base {} checks them",
            other.string(), opened.protection.parts.front().path.string(), opened.base.string(),
            other.string())));
      }
      check = check_protection(opened.protection, opened.base, opened.others, threads, progress);
      check_base(opened, check);
      if (bytes_beyond_repair(check, Loss::kLost) != 0) {
        check_no_others(opened, check, !task.where.base.empty());
      }
      unprotected = unprotected_files(opened.protection, check.found, opened.base);
      if (!opened.protection.manifest.scope.follows_links) {
        linked = linked_names(opened.protection.manifest.files, opened.base);
      }
    }
  }
  const bool lists_all = task.lists_all || task.format == "html";
  const CheckedProtection checked{opened.protection, check,     unprotected,
                                  !task.is_alone,    lists_all, base_text(opened),
                                  all.seconds(),     linked,    opened.base};
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
                               .follows_links = task.follows_links,
                               .is_trial = task.is_trial,
                               .options = task.where.run};
  Progress progress;
  ProtectionCheck check;
  RestoredFiles restored;
  {
    const ProgressLine line(progress);
    check = check_protection(opened.protection, opened.base, opened.others,
                             pipeline_threads(task.where.run), progress);
    if (task.to.empty()) {
      check_base(opened, check);
      if (task.where.base.empty()) {  // else they are the right ones, and are all replaced
        check_no_others(opened, check, false, "nothing was changed; ", ", or that they are there");
      }
    }
    restored = restore_files(opened.protection, check, request, progress);
  }
  for (std::string& sentence : restored.failures) sentence = in_program_words(sentence);
  for (std::string& sentence : restored.unremoved) sentence = in_program_words(sentence);
  const RestoredReport report{opened.protection, check,
                              restored,          task.to.empty() ? opened.base : fs::path(task.to),
                              task.to.empty(),   task.is_trial,
                              task.lists_all,    all.seconds()};
  note_restored(report);
  note(fmt::format("{} {} of {} protected files: read {} to find damage, wrote {}, {:.3f} s",
                   task.is_trial ? "would restore" : "restored", restored.files,
                   check.found.files.size(), bytes_text(check.bytes_read),
                   bytes_text(restored.bytes_written), all.seconds()));
  if (task.format == "json") {
    print(restored_json(report).dump(2, Json::Strings::kReplaced) + "\n");
  }
  const std::string lost = lost_text(check, restored, request);
  if (!restored.failures.empty()) {
    const std::size_t behind_links = restored.failures_behind_links;
    fail(lost.empty() ? Status::kIo : kind_of_loss(check),
         fmt::format("{}{}{} could not be restored, and can be {}{}{}, or elsewhere with --to{}",
                     lost, lost.empty() ? "" : "; ", counted(restored.failures.size(), "file"),
                     behind_links == 0 ? "" : "with --dereference",
                     behind_links == 0 || behind_links == restored.failures.size() ? "" : ", ",
                     behind_links == restored.failures.size() ? "" : "once the system lets it",
                     restored.bytes_without_room == 0
                         ? ""
                         : "; what a full disk has no room for takes " +
                               bytes_text(restored.bytes_without_room)));
  }
  if (!restored.rewriting_failure.empty()) {
    fail(Status::kIo, fmt::format("the damaged protection could not be rewritten: {}",
                                  in_program_words(restored.rewriting_failure)));
  }
  const bool is_any_left = !restored.lost.empty() || !restored.away.empty();
  if (is_any_left) check_not_elsewhere(opened.protection, check);
  if (!lost.empty()) fail(kind_of_loss(check), lost);
  check_readable(restored.unreadable.size());
  if (!restored.away.empty()) check_mounted(check, opened.base);
  if (!restored.blocked.empty()) {
    fail(Status::kIo,
         fmt::format("{} can be restored only {}", counted(restored.blocked.size(), "file"),
                     blocked_text(check.found)));
  }
  if (!restored.unremoved.empty()) {
    fail(Status::kIo, fmt::format("{} that repair had kept could not be removed",
                                  counted(restored.unremoved.size(), "file")));
  }
  const std::size_t edited = restored.edited.size() + restored.replaced.size();
  if (edited == 0) return;
  throw RecoverableDamage(fmt::format(
      "nothing is lost: {} {} since, and what was there before cannot be brought back; protect "
      "--update {}takes in what is there now",
      edited == 1 ? "1 file was" : fmt::format("{} files were", edited),
      restored.replaced.empty() ? "edited" : "edited or replaced",
      check.found.others ? "--accept-missing " : ""));
}

}  // namespace xorloom::cli
