#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/pages/name_lists.hpp"
#include "cli/shell/commands.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/program_words.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/families/families.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "codes/text/split.hpp"
#include "codes/text/text_file.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/protection/missing_files.hpp"
#include "runtime/protection/protect_files.hpp"
#include "runtime/upkeep/protection_check.hpp"
#include "runtime/upkeep/update_files.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kProtectAbout =
    "protect files where they are, by redundancy beside them\n"
    "Leaves files as they are, and writes redundancy and checksums to FILE. A PATH is a file, or a "
    "directory with all that is below it. verify FILE then finds out which files are damaged, "
    "moved or missing, and repair FILE restores them. With 10 % of redundancy, any tenth of the "
    "data may be lost: whole files, or parts of many. Bytes that were inserted or deleted cost "
    "only the blocks that they are in. FILE allows other users at most what all the files allow "
    "them. Names are relative to the directory of FILE, or to --base. "
    "With several -o, each FILE holds a share of the redundancy. With --update, protect takes what "
    "is new, edited, renamed and missing into FILE, and reads only that. A file whose content "
    "changed "
    "while its time did not is damaged: it is not taken in.";

constexpr const char* kProtectExamples =
    "xorloom protect photos -o photos.xorloom\n"
    "xorloom protect --update -o photos.xorloom\n"
    "xorloom verify photos.xorloom\n"
    "xorloom repair photos.xorloom\n"
    "xorloom protect photos --base . --redundancy 5% -o /mnt/stick/photos.xorloom";

constexpr double kLeastPercent = 0.01;
constexpr double kMostPercent = 1000;

struct ProtectOptions {
  std::vector<std::string> paths;
  std::vector<std::string> outputs;
  std::string base;
  std::vector<std::string> excluded;
  bool dereference = false;
  std::string list;
  bool is_list_of_nulls = false;
  std::optional<double> percent;
  std::optional<std::size_t> k;
  std::optional<std::size_t> m;
  bool replace = false;
  bool update = false;
  bool dry_run = false;
  bool accept_damage = false;
  bool accept_missing = false;
  bool allow_large = false;
  bool keep_going = false;
  bool list_all = false;
  std::size_t memory_bytes = kUsualMemoryBytes;
  Options run{.threads = 0};
};

double percent_of(const std::string& text) {
  std::string digits = text;
  if (!digits.empty() && digits.back() == '%') digits.pop_back();
  double percent = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, percent);
  if (error != std::errc() || stop != end || !(percent >= kLeastPercent) ||
      !(percent <= kMostPercent)) {
    fail(Status::kInvalidArgument, fmt::format("--redundancy = '{}' is not a part from {}% to {}%",
                                               excerpt(text), kLeastPercent, kMostPercent));
  }
  return percent;
}

/// The paths of the command line, and those of --files-from.
std::vector<std::filesystem::path> all_paths(const ProtectOptions& options) {
  std::vector<std::filesystem::path> paths = paths_of(options.paths);
  if (options.list.empty()) return paths;
  const std::string text = read_text(options.list);
  const bool has_nulls = options.is_list_of_nulls;  // such a list is from a program, not an editor
  for (const auto path : has_nulls ? split(text, '\0') : split(without_mark(text), '\n')) {
    if (!path.empty()) paths.emplace_back(path);
  }
  return paths;
}

/// Throws kIo if something that was asked for is not protected, since it cannot be read.
void check_read(std::size_t unreadable) {
  if (unreadable == 0) return;
  fail(Status::kIo, fmt::format("{} cannot be read: what is new or edited there is not protected",
                                counted(unreadable, "file or directory", "files and directories")));
}

void check_patterns(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (is_pattern(pattern)) continue;
    fail(Status::kInvalidArgument,
         fmt::format("--exclude has {} bytes, and takes 1 to {}", pattern.size(), kMaxPathBytes));
  }
}

void say_remarks(const std::vector<std::string>& remarks, const std::vector<LeftOut>& left_out,
                 bool is_whole) {
  for (const std::string& remark : remarks) say(printable(in_program_words(remark)));
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [name, why] : left_out) {
    by_reason[why].push_back(fmt::format("{}: {}", name, in_program_words(why)));
  }
  for (auto& each : by_reason) write_names(say, "left out: ", std::move(each.second), is_whole);
}

void protect(const ProtectOptions& options) {
  const Stopwatch all;
  ProtectRequest request{.paths = all_paths(options),
                         .base = options.base,
                         .excluded = options.excluded,
                         .follows_links = options.dereference,
                         .outputs = paths_of(options.outputs),
                         .redundancy = {},
                         .options = options.run,
                         .replace = options.replace,
                         .accept_damage = options.accept_damage,
                         .keeps_going = options.keep_going,
                         .accept_missing = options.accept_missing,
                         .bounds = reading_bounds(options.allow_large),
                         .memory_bytes = options.memory_bytes};
  request.redundancy.percent = options.percent.value_or(request.redundancy.percent);
  request.redundancy.k = options.k.value_or(0);
  request.redundancy.m = options.m.value_or(0);
  Progress progress;
  ProtectedSet result;
  {
    const ProgressLine line(progress);
    result = protect_files(request, progress);
  }
  say_remarks(result.remarks, result.left_out, options.list_all);
  write_names(say, "no longer protected: ", std::move(result.no_longer), options.list_all);
  const std::size_t files = result.manifest.files.size();
  const std::string survival =
      result.manifest.chunk_blocks == 0
          ? std::string("no content to lose")
          : fmt::format("any {} of {} chunks of {} of {} may be lost", result.m,
                        result.k + result.m, counted(result.manifest.chunk_blocks, "block"),
                        counted(result.manifest.block_bytes, "byte"));
  note(fmt::format("protected {} of {}: {}; wrote {}, {}", counted(files, "file"),
                   bytes_text(result.stream_bytes), survival, bytes_text(result.bytes_written),
                   rate_text(result.stream_bytes, all.seconds())));
  check_read(result.unreadable);
}

/// Names what changed, a line each.
void note_changes(const UpdatedFiles& files, bool takes_damage, bool is_whole) {
  write_names(note, "new: ", files.added, is_whole);
  std::vector<std::string> edited = files.edited;
  for (std::string& name : edited) {
    const auto was = files.moved_out.whole.find(name);
    if (was != files.moved_out.whole.end()) name += "; what it was is in " + was->second;
  }
  write_names(note, "edited: ", std::move(edited), is_whole);
  if (takes_damage) write_names(note, "damaged, and taken for edited: ", files.damaged, is_whole);
  std::vector<std::string> renamed;
  for (const Renamed& each : joined_renames(files.renamed, files.before)) {
    renamed.push_back(each.files == 0
                          ? fmt::format("{} to {}", each.before, each.now)
                          : fmt::format("{} to {}, {} files", directory_name(each.before),
                                        directory_name(each.now), count_of(each)));
  }
  write_names(note, "renamed: ", std::move(renamed), is_whole);
  const auto with_places = [&](std::vector<std::string> names) {
    for (std::string& name : names) name = files.moved_out.with_place(name);
    return names;
  };
  write_names(say, "no longer protected: ", with_places(files.gone), is_whole);
  write_names(say, "no longer protected, as another file has the name now: what was ",
              with_places(files.replaced), is_whole);
}

std::string changes_text(const UpdatedSet& result) {
  const UpdatedFiles& files = result.files;
  return fmt::format("{} new, {} edited, {} renamed, {} no longer protected, {} as before",
                     files.added.size(), files.edited.size(), files.renamed.size(),
                     files.gone.size() + files.replaced.size(), files.same);
}

/// The command that gives files their old content back, with the names of up to eight.
std::string restoring_text(const ProtectOptions& options, const FilesAreDamaged& damaged) {
  const std::vector<std::string>& names = damaged.names;
  constexpr std::size_t kMost = 8;
  std::string text = "to restore the old content";
  if (names.size() > kMost)
    text += fmt::format(" of the first {} of {} files", kMost, names.size());
  text += ": xorloom repair";
  for (const std::string& output : options.outputs) text += " " + shell_word(output);
  if (!options.base.empty()) text += " --base " + shell_word(options.base);
  if (any_leads_out(damaged.base, names)) text += " --dereference";
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i)
    text += " --only " + shell_word(names[i]);
  return text;
}

/// The protected names of the files that repair cannot restore now, as verify judges. An update
/// knows them.
std::set<std::string> names_beyond_repair(const ProtectOptions& options,
                                          const std::filesystem::path& base) {
  std::set<std::string> names;
  Progress progress;
  const ProgressLine line(progress);
  const Protection protection =
      open_protection(paths_of(options.outputs), reading_bounds(options.allow_large));
  const ProtectionCheck check =
      check_protection(protection, base, {}, pipeline_threads(options.run), progress);
  for (const LostBytes& lost : check.lost) {
    if (lost.is_known) names.insert(protection.manifest.files[lost.file].name);
  }
  return names;
}

/// Names files that are damaged and beyond repair.
void say_beyond_repair(const std::vector<std::string>& names, bool is_whole) {
  write_names(say,
              "damaged, and beyond repair, unless verify finds a copy of it: that, a copy from "
              "elsewhere, or --accept-damage, is the way out: ",
              names, is_whole);
}

/// Damage can be repaired first, so its status is not that of a wrong command line.
[[noreturn]] void end_with_damage(const ProtectOptions& options, const FilesAreDamaged& damaged) {
  if (!damaged.names.empty()) say(printable(restoring_text(options, damaged)));
  throw RecoverableDamage(damaged.what());
}

/// Names what is damaged after an update, or the trial of one, and ends with its status. Returns if
/// nothing is.
void end_if_damaged(const ProtectOptions& options, const UpdatedSet& result) {
  const std::map<std::string, std::string> out = result.files.held_out();
  std::vector<std::string> beyond;
  std::vector<std::string> waiting;
  std::vector<std::string> held = result.files.held;
  std::erase_if(held, [&](const std::string& name) { return out.contains(name); });
  std::vector<std::string> damaged_out;
  for (const auto& each : out) {
    damaged_out.push_back(result.files.moved_out.with_place(each.first));
  }
  write_names(say, "missing, and protected as before: ", damaged_out, options.list_all);
  std::map<std::string, std::string> restorable;
  const std::map<std::string, std::string> damaged_was =
      options.accept_damage ? decltype(restorable)() : result.files.damaged_was;
  for (const auto& [name, was] : damaged_was) {
    if (result.files.waiting.contains(was)) {
      waiting.push_back(name);
    } else if (result.files.lost.contains(was)) {
      beyond.push_back(name);
    } else {
      restorable[name] = options.dry_run ? was : name;
    }
  }
  say_beyond_repair(beyond, options.list_all);
  write_names(say, "damaged, and to be restored once what is missing is back: ", waiting,
              options.list_all);
  if (result.unreadable == 0) {
    write_names(say,
                waiting.empty()
                    ? "missing, and protected as before, as a damaged file may be what is left of "
                      "it: "
                    : "missing, and protected as before, as a damaged file needs it: ",
                held, options.list_all);
  }
  std::erase_if(held, [&](const std::string& name) { return result.files.lost.contains(name); });
  try {
    refuse_damaged(restorable, result.base,
                   options.dry_run ? OtherFilesAre::kToBeTakenIn : OtherFilesAre::kTakenIn, held);
  } catch (const FilesAreDamaged& damaged) {
    end_with_damage(options, damaged);
  }
  const char* const others = options.dry_run ? "would be" : "were";
  if (!beyond.empty()) {
    throw RecoverableDamage(
        fmt::format("{} damaged, and beyond repair, unless verify finds copies; all others {} "
                    "taken in",
                    counted(beyond.size(), "file is", "files are"), others));
  }
  if (!waiting.empty()) {
    throw RecoverableDamage(fmt::format(
        "{} damaged, and can be restored if what is missing is brought back; all others {} taken "
        "in; --accept-missing gives up what is missing",
        counted(waiting.size(), "file is", "files are"), others));
  }
  if (!out.empty()) {
    throw RecoverableDamage(fmt::format(
        "{} damaged, outside of what is protected: repair restores the old content, if enough "
        "is left of it, and --accept-missing gives it up",
        counted(out.size(), "file is", "files are")));
  }
}

void update(const ProtectOptions& options) {
  const Stopwatch all;
  Progress progress;
  UpdatedSet result;
  {
    const ProgressLine line(progress);
    result = update_files({.paths = all_paths(options),
                           .excluded = options.excluded,
                           .outputs = paths_of(options.outputs),
                           .base = options.base,
                           .options = options.run,
                           .accept_damage = options.accept_damage,
                           .keeps_going = options.keep_going,
                           .accept_missing = options.accept_missing,
                           .follows_links = options.dereference,
                           .is_trial = options.dry_run,
                           .bounds = reading_bounds(options.allow_large),
                           .memory_bytes = options.memory_bytes},
                          progress);
  }
  say_remarks(result.remarks, result.left_out, options.list_all);
  note_changes(result.files, options.accept_damage, options.list_all);
  const std::string lost =
      result.given_up == 0
          ? fmt::format("any {} of {} chunks may be lost", result.m, result.k + result.m)
          : fmt::format("any {} of {} chunks may be lost, beside {} that are given up",
                        result.m - std::min(result.m, result.given_up), result.k + result.m,
                        result.given_up);
  const bool is_damaged = !result.files.held_out().empty() ||
                          (!result.files.damaged_was.empty() && !options.accept_damage);
  const auto end = [&] {
    if (is_damaged) say(lost);
    if (result.unreadable != 0) {
      write_names(say, "missing, and protected as before, as what cannot be read may be it: ",
                  result.files.held, options.list_all);
    }
    end_if_damaged(options, result);
    check_read(result.unreadable);
  };
  if (result.way == UpdateWay::kNothing) {
    note(fmt::format("nothing changed: {}", changes_text(result)));
    return end();
  }
  if (result.way == UpdateWay::kWhole) {
    note(
        fmt::format("{} all files: {}", options.dry_run ? "would read" : "read", result.why_whole));
  }
  if (options.dry_run) {
    note(fmt::format("would update: {}", changes_text(result)));
    return end();
  }
  note(fmt::format("updated: {}{}; read {}, wrote {}, {:.3f} s", changes_text(result),
                   is_damaged ? "" : "; " + lost, bytes_text(result.bytes_read),
                   bytes_text(result.bytes_written), all.seconds()));
  end();
}

/// Ends with the status of damage if the library refuses it.
template <typename Act>
void with_status_of_damage(const ProtectOptions& options, const Act& act) {
  try {
    act();
  } catch (FilesAreDamaged& damaged) {
    const std::set<std::string> lost =
        damaged.lost ? *damaged.lost : names_beyond_repair(options, damaged.base);
    const auto is_lost = [&](const std::string& name) { return lost.contains(name); };
    std::vector<std::string> beyond;
    std::ranges::copy_if(damaged.names, std::back_inserter(beyond), is_lost);
    std::erase_if(damaged.names, is_lost);
    say_beyond_repair(beyond, options.list_all);
    end_with_damage(options, damaged);
  }
}

void run(const ProtectOptions& options) {
  const auto refuse = [](bool given, const char* sentence) {
    if (given) fail(Status::kInvalidArgument, sentence);
  };
  refuse(options.percent && options.m, "--redundancy and -m both say how much redundancy there is");
  refuse(options.is_list_of_nulls && options.list.empty(), "--null needs --files-from");
  refuse(options.accept_damage && !options.replace && !options.update,
         "--accept-damage needs --replace or --update");
  refuse(options.accept_missing && !options.replace && !options.update,
         "--accept-missing needs --replace or --update");
  refuse(options.dry_run && !options.update, "--dry-run needs --update");
  check_patterns(options.excluded);
  if (!options.update) return with_status_of_damage(options, [&] { protect(options); });
  refuse(options.replace, "--replace and --update are two ways to write a protection anew");
  refuse(options.percent || options.m || options.k,
         "--update keeps the redundancy as it is; --replace takes another one");
  with_status_of_damage(options, [&] { update(options); });
}

}  // namespace

Command protect_command() {
  Command command{"protect", kProtectAbout, kProtectExamples};
  command.finds_damage = true;
  const auto options = std::make_shared<ProtectOptions>();
  add_arguments(command, "PATH", options->paths,
                "the files to protect, and directories of files; with --update, those to protect "
                "beside what is protected");
  option_of(command, "PATH").stand_in = "--files-from,--update";
  add_texts(command, "-o,--output", "FILE", options->outputs,
            "the protection file to write; with several, each holds a share of the redundancy");
  option_of(command, "--output").is_required = true;
  add_value(command, "--redundancy", "PERCENT",
            "redundancy as a part of the data, 0.01% to 1000%; default: 10%",
            [options](const std::string& text) { options->percent = percent_of(text); });
  add_number(command, "-m", options->m, 1, kMaxLocations,
             "redundancy as a number of chunks, beside the k of data");
  add_number(command, "-k", options->k, 1, kMaxLocations,
             "chunks that the data is cut into; default: 1024, or fewer if there is little data");
  add_text(command, "--base", "DIR", options->base,
           "the directory that names are relative to; default: that of the first FILE");
  add_texts(
      command, "--exclude", "PATTERN", options->excluded,
      "leave out files and directories of this name below a PATH. PATTERN is as of the shell; "
      "with a '/' before its end, it is compared with the whole name. --update remembers it");
  add_flag(command, "-L,--dereference", options->dereference,
           "protect what symbolic links lead to, under the names of the links; default: links are "
           "left out. --update remembers it");
  add_text(command, "--files-from", "FILE", options->list,
           "a file with more paths, a line each, or - for standard input");
  add_flag(command, "--null", options->is_list_of_nulls,
           "in --files-from, a zero byte ends each path, as find -print0 writes it");
  add_flag(command, "--replace", options->replace, "replace protection files that are there");
  add_flag(command, "--update", options->update,
           "take in what changed since FILE was written. Name all protection files that share the "
           "redundancy");
  add_flag(command, "--dry-run", options->dry_run,
           "with --update: say what would be done, and write nothing");
  add_flag(command, "--accept-damage", options->accept_damage,
           "with --replace or --update: protect files as they are. Without it, --replace refuses "
           "a file whose content changed while its time did not, and --update leaves it protected "
           "as it was");
  add_flag(
      command, "--accept-missing", options->accept_missing,
      "with --replace or --update: give up directories whose files are all missing, or are all "
      "others. Without it, protect refuses, as a disk that is not mounted looks like that");
  add_bytes(command, "--memory", options->memory_bytes, kLeastMemoryBytes, kMaxChunkBytes,
            "memory to use, about, at least 32M; default: 128M. The list of files takes 16 bytes "
            "for each block of them, and blocks are smaller if a row of them would take too much");
  add_flag(command, "--keep-going", options->keep_going,
           "leave out files and directories that cannot be read, name them, and end with status 4");
  add_list_all(command, options->list_all);
  add_allow_large(command, options->allow_large);
  add_engine(command, options->run, "default: auto", "default: 0");
  command.run = [options](const Command&) { run(*options); };
  return command;
}

}  // namespace xorloom::cli
