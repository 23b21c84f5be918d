#include "cli/commands/protected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <numeric>

#include "cli/document/figures.hpp"
#include "cli/document/writers.hpp"
#include "cli/shell/exit_status.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/shards.hpp"
#include "cli/shell/streams.hpp"
#include "codes/text/error.hpp"
#include "codes/text/json.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/protection/protection_check.hpp"
#include "runtime/protection/redundancy_plan.hpp"
#include "runtime/protection/restore_files.hpp"

namespace xorloom::cli {
namespace {

namespace fs = std::filesystem;
using FileKind = FileState::Kind;

struct Opened {
  Protection protection;
  fs::path base;
  std::vector<fs::path> others;
};

/// The directory to which names are relative: --base, else that of protection file 1, in whatever
/// order the files are given.
fs::path base_of(const ProtectedTask& task, const Protection& protection) {
  if (!task.base.empty()) return task.base;
  const ProtectionPart& part = protection.parts.front();
  if (part.header.part == 0) return directory_of(part.path);
  for (const PlaceOfPart& place : protection.places) {
    if (place.header.part == 0) return directory_of(place.path);
  }
  fail(Status::kInvalidArgument,
       fmt::format(
           "{} is file {} of {}, and names are relative to the directory of file 1: say with "
           "--base which one that is",
           part.path.string(), part.header.part + 1, part.header.parts));
}

Opened open(const ProtectedTask& task) {
  std::vector<fs::path> parts;
  std::vector<fs::path> others;
  for (const std::string& path : task.paths) {
    (is_vacant(path) || has_part_header(path) ? parts : others).emplace_back(path);
  }
  Protection protection = open_protection(parts, reading_bounds(task.allow_large));
  const fs::path base = base_of(task, protection);
  std::error_code error;
  if (!fs::is_directory(base, error)) {
    fail(Status::kIo, fmt::format("{} is not a directory that is there", base.string()));
  }
  return {std::move(protection), base, std::move(others)};
}

const char* to_string(FileKind kind) {
  switch (kind) {
    case FileKind::kWhole:
      return "whole";
    case FileKind::kDamaged:
      return "damaged";
    case FileKind::kEdited:
      return "edited";
    case FileKind::kMoved:
      return "moved";
    case FileKind::kUnreadable:
      return "unreadable";
    case FileKind::kMissing:
      break;
  }
  return "missing";
}

std::size_t count(const ProtectionCheck& check, FileKind kind) {
  return static_cast<std::size_t>(std::ranges::count(check.found.files, kind, &FileState::kind));
}

std::string files_text(std::size_t files) {
  return fmt::format("{} file{}", files, files == 1 ? "" : "s");
}

/// Describes what is wrong with a file.
std::string why(const Opened& opened, const ProtectionCheck& check, std::size_t file) {
  const FileState& state = check.found.files[file];
  const FileMap& map = opened.protection.map;
  const std::size_t segments = map.first_segment(file + 1) - map.first_segment(file);
  if (state.kind == FileKind::kMoved) {
    return "it is " + check.found.sources[state.source].path.string() + " now";
  }
  if (state.kind == FileKind::kUnreadable) {
    return fmt::format("it cannot be read, and may be whole: {}", std::strerror(state.error));
  }
  if (state.error != 0) return std::strerror(state.error);
  std::string text;
  if (state.kind != FileKind::kMissing && state.source != SegmentPlace::kLost &&
      state.bytes != map.bytes_of_file(file)) {
    text += fmt::format("it has {} bytes instead of {}; ", state.bytes, map.bytes_of_file(file));
  }
  return text + fmt::format("{} of {} blocks were found", state.found, segments);
}

/// Bytes that cannot be recovered, of files that were edited or of the others.
std::uint64_t lost_bytes(const ProtectionCheck& check, bool of_edited) {
  std::uint64_t bytes = 0;
  for (const LostBytes& lost : check.lost) {
    const bool is_edited = check.found.files[lost.file].kind == FileKind::kEdited;
    if (is_edited == of_edited) bytes += lost.end - lost.begin;
  }
  return bytes;
}

std::size_t num_bad_blocks(const ProtectionCheck& check) {
  return std::accumulate(check.bad_blocks.begin(), check.bad_blocks.end(), std::size_t{0});
}

std::string redundancy_text(const Protection& protection, const ProtectionCheck& check) {
  const std::size_t made = protection.parts.front().header.parts;
  if (protection.parts.size() != made) {
    return fmt::format("{} of {} can be used, {} blocks damaged", protection.parts.size(), made,
                       num_bad_blocks(check));
  }
  if (num_bad_blocks(check) != 0) return fmt::format("{} blocks damaged", num_bad_blocks(check));
  const bool is_whole = std::ranges::all_of(
      protection.parts, [](const ProtectionPart& part) { return part.defects.empty(); });
  return is_whole ? "whole" : "damaged";
}

/// {"name"} or, if the name is not UTF-8, also its bytes in "name_hex".
Json named(const std::string& name) {
  Json entry{{"name", name}};
  try {
    static_cast<void>(entry.dump());
  } catch (const Error&) {
    std::string digits;
    for (const char byte : name) {
      digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    entry["name_hex"] = digits;
  }
  return entry;
}

Json data_of(const Opened& opened, const ProtectionCheck& check,
             const std::vector<std::string>& unprotected) {
  const Protection& protection = opened.protection;
  const PartHeader& header = protection.parts.front().header;
  Json files = Json::array();
  for (std::size_t file = 0; file < check.found.files.size(); ++file) {
    const FileState& state = check.found.files[file];
    const FileMap& map = protection.map;
    Json entry = named(protection.manifest.files[file].name);
    entry["bytes"] = map.bytes_of_file(file);
    entry["state"] = to_string(state.kind);
    entry["blocks"] = map.first_segment(file + 1) - map.first_segment(file);
    entry["blocks_found"] = state.found;
    if (state.kind == FileKind::kMoved) {
      entry["path"] = check.found.sources[state.source].path.string();
    }
    files.push_back(entry);
  }
  Json parts = Json::array();
  for (std::size_t i = 0; i < protection.parts.size(); ++i) {
    const ProtectionPart& part = protection.parts[i];
    parts.push_back({{"path", part.path.string()},
                     {"part", part.header.part},
                     {"first_chunk", part.header.first},
                     {"chunks", part.header.count},
                     {"damaged_blocks", check.bad_blocks[i]},
                     {"defects", part.defects}});
  }
  Json lost = Json::array();
  for (const LostBytes& range : check.lost) {
    Json entry = named(protection.manifest.files[range.file].name);
    entry["first"] = range.begin;
    entry["last"] = range.end - 1;
    lost.push_back(std::move(entry));
  }
  Json added = Json::array();
  for (const std::string& name : unprotected) added.push_back(named(name));
  return {{"format", "xorloom-protection"},
          {"version", 1},
          {"protection", to_string(header.id)},
          {"generation", header.generation},
          {"code", protection.code.spec},
          {"block_bytes", protection.manifest.block_bytes},
          {"chunk_blocks", protection.chunk_blocks()},
          {"whole", check.is_whole(protection)},
          {"recoverable", lost_bytes(check, false) == 0},
          {"most_lost", check.most_lost},
          {"most_given_up", most_given_up(protection.manifest)},
          {"files", files},
          {"parts_made", header.parts},
          {"parts", parts},
          {"lost", lost},
          {"unprotected", added}};
}

/// ", 2 edited, 1 unreadable"; "" if there are none.
std::string rarer_states(const ProtectionCheck& check) {
  std::string text;
  for (const FileKind kind : {FileKind::kEdited, FileKind::kUnreadable}) {
    if (count(check, kind) != 0)
      text += fmt::format(", {} {}", count(check, kind), to_string(kind));
  }
  return text;
}

/// How many chunks may be lost in a row, beside what was given up.
std::string survival_text(const Protection& protection) {
  const std::size_t given_up = most_given_up(protection.manifest);
  const std::size_t m = protection.code.m;
  return given_up == 0
             ? fmt::format("{} may be lost", m)
             : fmt::format("{} may be lost, and {} of these hold what is gone", m, given_up);
}

Facts facts(const Opened& opened, const ProtectionCheck& check,
            const std::vector<std::string>& unprotected, double seconds) {
  const Protection& protection = opened.protection;
  const PartHeader& header = protection.parts.front().header;
  const Code& code = protection.code;
  Facts facts{
      {{"protection", to_string(header.id)},
       {"code", code.spec},
       {"blocks", fmt::format("{} bytes, {} in each of {} chunks", protection.manifest.block_bytes,
                              protection.chunk_blocks(), code.k)},
       {"files", fmt::format("{}: {} whole, {} damaged, {} moved, {} missing{}",
                             check.found.files.size(), count(check, FileKind::kWhole),
                             count(check, FileKind::kDamaged), count(check, FileKind::kMoved),
                             count(check, FileKind::kMissing), rarer_states(check))},
       {"redundancy", fmt::format("{} chunks in {}: {}", code.m, files_text(header.parts),
                                  redundancy_text(protection, check))}}};
  if (!unprotected.empty()) {
    facts.add("new",
              fmt::format("{}, which protect --update takes in", files_text(unprotected.size())));
  }
  if (check.most_lost != 0) {
    facts.add("lost", fmt::format("at most {} of {} chunks in a row of blocks; {}", check.most_lost,
                                  code.locations, survival_text(protection)));
  } else if (!protection.manifest.given_up.empty()) {
    facts.add("lost", fmt::format("no chunk; in a row of blocks, {} of {}",
                                  survival_text(protection), code.locations));
  }
  facts.add("read", fmt::format("{} in {:.3f} s, {:.2f} GB/s", bytes_text(check.bytes_read),
                                seconds, gigabytes_per_second(check.bytes_read, seconds)));
  return facts;
}

/// Lists what is wrong with the protection files.
Bullets defects(const Protection& protection) {
  Bullets bullets{"", {}};
  for (const std::string& sentence : protection.unusable) {
    bullets.items.push_back(printable(sentence));
  }
  for (const ProtectionPart& part : protection.parts) {
    for (const std::string& defect : part.defects) {
      bullets.items.push_back(printable(part.path.string() + ": " + defect));
    }
  }
  return bullets;
}

/// Table of the files that are not whole, and of the lost bytes.
Table troubles(const Opened& opened, const ProtectionCheck& check,
               const std::vector<std::string>& unprotected) {
  const std::vector<ProtectedFile>& names = opened.protection.manifest.files;
  Table table{{{"", {"file"}, true}}, {{"", {}}}};
  std::vector<TableRow>& rows = table.blocks.back().rows;
  for (std::size_t file = 0; file < check.found.files.size(); ++file) {
    const FileKind kind = check.found.files[file].kind;
    if (kind == FileKind::kWhole) continue;
    rows.push_back(
        {0, to_string(kind), {printable(names[file].name + ": " + why(opened, check, file))}});
  }
  for (const std::string& name : unprotected) {
    rows.push_back({0, "new", {printable(name + ": it is not protected")}});
  }
  for (const LostBytes& lost : check.lost) {
    rows.push_back({0,
                    "lost",
                    {printable(fmt::format("{}: bytes {}-{}", names[lost.file].name, lost.begin,
                                           lost.end - 1))}});
  }
  return table;
}

Document document_of(const Opened& opened, const ProtectionCheck& check,
                     const std::vector<std::string>& unprotected, double seconds) {
  Document document{"Protected files", data_of(opened, check, unprotected)};
  document.add(facts(opened, check, unprotected, seconds));
  document.add(defects(opened.protection));
  if (Table table = troubles(opened, check, unprotected); !table.blocks.back().rows.empty()) {
    document.add(std::move(table));
  }
  return document;
}

/// kIo if the system refuses to read files that might help, else kDamaged.
Status kind_of_loss(const ProtectionCheck& check) {
  const bool is_refused = count(check, FileKind::kUnreadable) != 0 ||
                          std::ranges::any_of(check.lost, [&](const LostBytes& lost) {
                            return check.found.files[lost.file].error != 0;
                          });
  return is_refused ? Status::kIo : Status::kDamaged;
}

/// Throws kIo if `unreadable`, a number of files, is not 0.
void check_readable(std::size_t unreadable) {
  if (unreadable == 0) return;
  fail(Status::kIo, fmt::format("{} cannot be read, and may be whole", files_text(unreadable)));
}

void check_whole(const Opened& opened, const ProtectionCheck& check) {
  const Protection& protection = opened.protection;
  if (const std::uint64_t lost = lost_bytes(check, false); lost != 0) {
    fail(kind_of_loss(check), fmt::format("{} bytes of protected files are lost", lost));
  }
  check_readable(count(check, FileKind::kUnreadable));
  if (check.is_whole(protection)) return;
  const std::size_t files = check.found.files.size();
  const std::size_t edited = count(check, FileKind::kEdited);
  const std::size_t others = files - count(check, FileKind::kWhole) - edited;
  const std::uint64_t lost = lost_bytes(check, true);
  const std::string update = fmt::format(
      "{} of {} protected files were edited: protect --update takes them as they are, and repair "
      "brings back what they were{}",
      edited, files, lost == 0 ? "" : fmt::format(", but for {} bytes, which are lost", lost));
  if (others != 0) {
    throw RecoverableDamage(
        fmt::format("{} of {} protected files are not what they were; repair restores them{}",
                    others, files, edited == 0 ? "" : "; " + update));
  }
  if (edited != 0) throw RecoverableDamage(update);
  const std::size_t given = protection.parts.size();
  const std::size_t made = protection.parts.front().header.parts;
  throw RecoverableDamage(
      given != made
          ? fmt::format("the files are whole, but {} of {} protection files can be used{}", given,
                        made, protection.places.empty() ? "" : "; repair writes the others anew")
          : "the files are whole, but their protection is damaged; repair rewrites it");
}

}  // namespace

bool names_protection(const std::vector<std::string>& paths) {
  return std::ranges::any_of(paths, [](const std::string& path) { return has_part_header(path); });
}

void describe_protection(const std::string& path, const std::string& format) {
  const Protection protection = open_protection({path}, lifted_bounds());
  const ProtectionPart& part = protection.parts.front();
  const PartHeader& header = part.header;
  Json files = Json::array();
  for (const ProtectedFile& file : protection.manifest.files) {
    Json entry = named(file.name);
    entry["bytes"] = file.bytes;
    entry["permissions"] = file.permissions;
    entry["modified_seconds"] = file.modified_seconds;
    entry["modified_nanoseconds"] = file.modified_nanoseconds;
    files.push_back(std::move(entry));
  }
  Document document{fmt::format("Protection {}", to_string(header.id)),
                    {{"format", "xorloom-info"},
                     {"version", 1},
                     {"protection", to_string(header.id)},
                     {"part", header.part},
                     {"parts", header.parts},
                     {"code", protection.code.spec},
                     {"block_bytes", header.block_bytes},
                     {"chunk_blocks", header.chunk_blocks},
                     {"first_chunk", header.first},
                     {"chunks", header.count},
                     {"defects", part.defects},
                     {"files", std::move(files)}}};
  document.add(
      Facts{{{"protection", fmt::format("{}, file {} of {}", to_string(header.id), header.part + 1,
                                        header.parts)},
             {"code", protection.code.spec},
             {"blocks", fmt::format("{} bytes, {} in each of {} chunks", header.block_bytes,
                                    header.chunk_blocks, protection.code.k)},
             {"redundancy", fmt::format("{} of {} chunks", header.count, protection.code.m)},
             {"files", fmt::format("{} of {}", protection.map.num_files(),
                                   bytes_text(protection.map.stream_bytes()))}}});
  document.add(defects(protection));
  const Show printed = [](const Json& name) { return printable(name.text()); };
  document.add(record_table(document.data["files"], {"bytes", "bytes", in_full},
                            {{"", {{"file", "name", printed}}, true}}));
  print(written(document, format));
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

void verify_protected(const ProtectedTask& task) {
  const Stopwatch all;
  const Opened opened = open(task);
  Progress progress;
  ProtectionCheck check;
  std::vector<std::string> unprotected;
  {
    const ProgressLine line(progress);
    check = check_protection(opened.protection, opened.base, opened.others,
                             pipeline_threads(task.run), progress);
    unprotected = unprotected_files(opened.protection, check.found, opened.base);
  }
  print(written(document_of(opened, check, unprotected, all.seconds()), task.format));
  check_whole(opened, check);
}

void repair_protected(const ProtectedTask& task) {
  const Stopwatch all;
  const Opened opened = open(task);
  Progress progress;
  ProtectionCheck check;
  RestoredFiles restored;
  {
    const ProgressLine line(progress);
    check = check_protection(opened.protection, opened.base, opened.others,
                             pipeline_threads(task.run), progress);
    restored = restore_files(opened.protection, check, opened.base, task.run, progress);
  }
  for (const auto& [to, from] : restored.moved_back) {
    note(printable(fmt::format("moved back: {} to {}", from.string(), to.string())));
  }
  std::map<fs::path, fs::path> copied_from;
  for (std::size_t file = 0; file < check.found.files.size(); ++file) {
    const FileState& state = check.found.files[file];
    if (state.kind != FileKind::kMoved) continue;
    copied_from[opened.base / opened.protection.manifest.files[file].name] =
        check.found.sources[state.source].path;
  }
  for (const fs::path& path : restored.rebuilt) {
    const auto from = copied_from.find(path);
    note(printable(from == copied_from.end() ? fmt::format("restored: {}", path.string())
                                             : fmt::format("restored: {}, from {}, which stays",
                                                           path.string(), from->second.string())));
  }
  for (const auto& [path, kept] : restored.kept) {
    note(printable(fmt::format("what was {} is {} now", path.string(), kept.string())));
  }
  for (const fs::path& path : restored.rewritten_parts) {
    note(printable(fmt::format("rewritten: {}", path.string())));
  }
  const std::size_t unnamed = opened.protection.missing.size() - opened.protection.places.size();
  if (unnamed != 0) {
    note(fmt::format(
        "{} of {} protection files {} not named, or no such file any more: repair "
        "writes a file anew if it is named and is not there",
        unnamed, opened.protection.parts.front().header.parts, unnamed == 1 ? "was" : "were"));
  }
  for (const fs::path& path : restored.lost) {
    note(printable(fmt::format("beyond repair, left as it is: {}", path.string())));
  }
  for (const std::string& file : restored.unreadable) {
    note(printable("cannot be read, and may be whole; left as it is: " + file));
  }
  note(fmt::format("restored {} of {} protected files: read {} to find damage, wrote {}, {:.3f} s",
                   restored.files, check.found.files.size(), bytes_text(check.bytes_read),
                   bytes_text(restored.bytes_written), all.seconds()));
  for (const std::string& failure : restored.failures) note(printable(failure));
  if (!restored.failures.empty()) {
    fail(Status::kIo, fmt::format("{} could not be restored, and can be once the system lets it",
                                  files_text(restored.failures.size())));
  }
  if (restored.lost.empty()) return check_readable(restored.unreadable.size());
  fail(kind_of_loss(check),
       fmt::format("{} bytes of {} are lost", lost_bytes(check, false) + lost_bytes(check, true),
                   files_text(restored.lost.size())));
}

}  // namespace xorloom::cli
