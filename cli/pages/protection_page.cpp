#include "cli/pages/protection_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "cli/document/figures.hpp"
#include "cli/pages/name_lists.hpp"
#include "cli/shell/running.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/redundancy_plan.hpp"
#include "runtime/upkeep/look_in_place.hpp"
#include "runtime/upkeep/replace_file.hpp"

namespace xorloom::cli {
namespace {

using FileKind = FileState::Kind;

/// Path of another file that contains all of a file, or all found blocks of a missing file; empty:
/// no file does.
std::string found_elsewhere(const CheckedProtection& checked, std::size_t file) {
  const FoundSegments& found = checked.check.found;
  const FileMap& map = checked.protection.map;
  const std::size_t first = map.first_segment(file);
  const std::size_t end = map.first_segment(file + 1);
  std::uint32_t source = SegmentPlace::kLost;
  for (std::size_t s = first; s < end; ++s) {
    const SegmentPlace& place = found.places[s];
    const FileState& state = found.files[file];
    if (!place.is_found() && (state.kind == FileKind::kMissing || !state.left_out.empty()))
      continue;
    if (!place.is_found() || place.source == found.files[file].source) return "";
    if (source != SegmentPlace::kLost && place.source != source) return "";
    source = place.source;
  }
  return source == SegmentPlace::kLost ? "" : found.sources[source].path.string();
}

/// The blocks of a file that are damaged in its place, and were found in another one.
std::size_t num_not_in_place(const CheckedProtection& checked, std::size_t file) {
  const FoundSegments& found = checked.check.found;
  const FileMap& map = checked.protection.map;
  const FileState& state = found.files[file];
  if (state.kind != FileKind::kDamaged || !state.became.empty()) return 0;
  std::size_t others = 0;
  for (std::size_t s = map.first_segment(file); s < map.first_segment(file + 1); ++s) {
    const SegmentPlace& place = found.places[s];
    const bool is_own =
        place.source == state.source && place.offset == map.segment(file, s).file_offset;
    if (place.is_found() && !is_own) ++others;
  }
  return others;
}

const std::vector<FileState>& found_states(const CheckedProtection& checked) {
  return checked.check.found.files;
}

/// Describes what is in the place of a missing file or of its directory, as a phrase; empty:
/// nothing.
std::string in_its_place(const std::filesystem::path& base, const std::string& name) {
  const std::string text = in_the_way(base, name);
  if (!text.empty()) return text + "; move it away, and then repair";
  std::error_code error;
  const auto status = std::filesystem::symlink_status(base / name, error);
  return std::filesystem::exists(status) ? "what stands there is no regular file" : "";
}

/// Describes what is wrong with a file that did not move.
std::string why(const CheckedProtection& checked, std::size_t file) {
  const FileState& state = checked.check.found.files[file];
  const FileMap& map = checked.protection.map;
  const std::size_t segments = map.first_segment(file + 1) - map.first_segment(file);
  if (state.kind == FileKind::kUnreadable) {
    return fmt::format("it cannot be read, and may be whole: {}", reading_error(state.error));
  }
  if (state.error != 0) return reading_error(state.error);
  if (state.kind == FileKind::kMissing) {
    const std::string& name = checked.protection.manifest.files[file].name;
    if (std::string text = in_its_place(checked.directory, name); !text.empty()) return text;
    if (segments == 0) return "it was empty";
  }
  const std::string elsewhere = found_elsewhere(checked, file);
  const auto num_found = [&] {
    const std::size_t others = elsewhere.empty() ? num_not_in_place(checked, file) : 0;
    return fmt::format("{} of {} found{}", state.found, counted(segments, "block"),
                       !elsewhere.empty()        ? ", all in " + elsewhere
                       : !state.left_out.empty() ? "; it is " + state.left_out.string() + " now"
                       : others != 0 ? fmt::format(", {} of them in another place", others)
                                     : "");
  };
  if (state.kind == FileKind::kReplaced) {
    const FileState& other = found_states(checked)[*state.replaced_by];
    return fmt::format("what was {} has its name now{}; {}",
                       checked.protection.manifest.files[*state.replaced_by].name,
                       other.became.empty() ? "" : ", and is damaged", num_found());
  }
  if (!state.became.empty()) {
    return fmt::format("it is {} now; {}", state.became.string(), num_found());
  }
  std::string text;
  if (state.kind != FileKind::kMissing && state.source != SegmentPlace::kLost &&
      state.bytes != map.bytes_of_file(file)) {
    text += fmt::format("it has {} instead of {}; ", counted(state.bytes, "byte"),
                        map.bytes_of_file(file));
  }
  if (state.kind == FileKind::kEdited) {
    const auto aside =
        checked.check.found.set_aside.find(checked.protection.manifest.files[file].name);
    if (aside != checked.check.found.set_aside.end()) return text + aside->second;
    text += "it was written after it was protected";
    const std::size_t other = segments - state.found;
    if (other == 0) return text + (elsewhere.empty() ? "" : "; what it was is in " + elsewhere);
    return text + fmt::format(", and {} of {} {}", other, counted(segments, "block"),
                              other == 1 ? "differs" : "differ");
  }
  return text + num_found();
}

std::string redundancy_text(const Protection& protection, const ProtectionCheck& check) {
  const std::size_t made = protection.parts.front().header.parts;
  if (protection.parts.size() != made) {
    return fmt::format("{} of {} can be used, {} damaged", protection.parts.size(), made,
                       counted(num_bad_blocks(check), "block"));
  }
  if (num_bad_blocks(check) != 0) return counted(num_bad_blocks(check), "block") + " damaged";
  const bool is_whole = std::ranges::all_of(
      protection.parts, [](const ProtectionPart& part) { return part.defects.empty(); });
  return is_whole ? "whole" : "damaged";
}

Json data_of(const CheckedProtection& checked) {
  const Protection& protection = checked.protection;
  const ProtectionCheck& check = checked.check;
  const PartHeader& header = protection.parts.front().header;
  Json files = Json::array();
  for (std::size_t file = 0; file < check.found.files.size(); ++file) {
    const FileState& state = check.found.files[file];
    const FileMap& map = protection.map;
    Json entry = named_json(protection.manifest.files[file].name);
    entry["bytes"] = map.bytes_of_file(file);
    entry["state"] = to_string(state.kind);
    entry["blocks"] = map.first_segment(file + 1) - map.first_segment(file);
    entry["blocks_found"] = state.found;
    const bool is_there = state.kind != FileKind::kMoved && state.source != SegmentPlace::kLost;
    if (is_there) entry["bytes_now"] = state.bytes;
    if (state.error != 0) entry["error"] = reading_error(state.error);
    if (state.kind == FileKind::kMoved) {
      entry["path"] = check.found.sources[state.source].path.string();
    } else if (!state.became.empty()) {
      entry["path"] = state.became.string();
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
  const auto beyond_repair = [&](Loss loss) {
    Json array = Json::array();
    for (const LostBytes& range : check.lost) {
      if (loss_of(check, range) != loss) continue;
      Json entry = named_json(protection.manifest.files[range.file].name);
      entry["first"] = range.begin;
      entry["last"] = range.end - 1;
      array.push_back(std::move(entry));
    }
    return array;
  };
  Json added = Json::array();
  for (const std::string& name : checked.unprotected) added.push_back(named_json(name));
  Json away = Json::array();
  for (const MissingDirectory& directory : check.found.away) {
    Json entry = named_json(directory.name);
    entry.update({{"files", directory.files}, {"elsewhere", directory.elsewhere}});
    away.push_back(std::move(entry));
  }
  Json links = Json::array();
  for (const std::string& name : checked.linked) links.push_back(named_json(name));
  return {{"format", "xorloom-protection"},
          {"version", 1},
          {"protection", to_string(header.id)},
          {"generation", header.generation},
          {"code", protection.code.spec},
          {"block_bytes", protection.manifest.block_bytes},
          {"chunk_blocks", protection.chunk_blocks()},
          {"base", checked.base},
          {"files_read", checked.has_read_files},
          {"whole", check.is_whole(protection) && checked.linked.empty()},
          {"recoverable", bytes_beyond_repair(check, Loss::kLost) == 0},
          {"most_lost", check.most_lost},
          {"most_given_up", most_given_up(protection.manifest)},
          {"files", files},
          {"parts_made", header.parts},
          {"parts", parts},
          {"unusable", protection.unusable},
          {"older", protection.older},
          {"redundant_chunks", protection.code.m},
          {"lost", beyond_repair(Loss::kLost)},
          {"changed", beyond_repair(Loss::kChanged)},
          {"unread", beyond_repair(Loss::kUnread)},
          {"missing_directories", std::move(away)},
          {"unprotected", added},
          {"links", links},
          {"bytes_read", check.bytes_read},
          {"seconds", checked.seconds}};
}

/// "1024 bytes, 3 in each of 4 chunks".
std::string blocks_text(const Protection& protection) {
  return fmt::format("{}, {} in {}{}", counted(protection.manifest.block_bytes, "byte"),
                     protection.chunk_blocks(), protection.code.k == 1 ? "" : "each of ",
                     counted(protection.code.k, "chunk"));
}

/// "9: 8 whole, 1 damaged, 0 moved, 0 missing".
std::string states_text(const CheckedProtection& checked) {
  if (!checked.has_read_files) {
    return fmt::format("{}, which were not read", checked.protection.map.num_files());
  }
  const ProtectionCheck& check = checked.check;
  std::string text =
      fmt::format("{}: {} whole, {} damaged, {} moved, {} missing", check.found.files.size(),
                  count_files(check, FileKind::kWhole), count_files(check, FileKind::kDamaged),
                  count_files(check, FileKind::kMoved), count_files(check, FileKind::kMissing));
  for (const FileKind kind : {FileKind::kEdited, FileKind::kReplaced, FileKind::kUnreadable}) {
    const std::size_t files = count_files(check, kind);
    if (files != 0) text += fmt::format(", {} {}", files, to_string(kind));
  }
  return text;
}

/// The number of new files that no update takes in.
std::size_t num_set_aside(const CheckedProtection& checked) {
  const auto is_aside = [&](const std::string& name) {
    return checked.check.found.set_aside.contains(name);
  };
  return static_cast<std::size_t>(std::ranges::count_if(checked.unprotected, is_aside));
}

Facts facts(const CheckedProtection& checked) {
  const Protection& protection = checked.protection;
  const ProtectionCheck& check = checked.check;
  const PartHeader& header = protection.parts.front().header;
  const Code& code = protection.code;
  Facts facts{{{"protection", to_string(header.id)},
               {"code", code.spec},
               {"blocks", blocks_text(protection)},
               {"files", states_text(checked)},
               {"redundancy",
                fmt::format("{} in {}: {}", counted(code.m, "chunk"), counted(header.parts, "file"),
                            redundancy_text(protection, check))}}};
  if (!checked.base.empty()) facts.add("base", printable(checked.base));
  const std::size_t aside = num_set_aside(checked);
  if (!checked.unprotected.empty()) {
    facts.add(
        "new",
        fmt::format(
            "{}, which protect --update takes in{}", counted(checked.unprotected.size(), "file"),
            aside == 0 ? "" : ", but for " + counted(aside, "damaged copy", "damaged copies")));
  }
  const std::size_t given_up = most_given_up(protection.manifest);
  const std::size_t most_lost = std::max(check.most_lost, given_up);
  if (most_lost != 0) {
    facts.add("needed",
              fmt::format("at most {} of the {} redundant blocks of a row{}", most_lost, code.m,
                          given_up == 0 ? "" : fmt::format(", {} given up", given_up)));
  }
  facts.add("read", fmt::format("{} in {}", bytes_text(check.bytes_read),
                                rate_text(check.bytes_read, checked.seconds)));
  return facts;
}

/// Lists what is wrong with the protection files, and older copies of these.
Bullets defects(const Protection& protection) {
  Bullets bullets{"", {}};
  for (const auto* sentences : {&protection.unusable, &protection.older}) {
    for (const std::string& sentence : *sentences) bullets.items.push_back(printable(sentence));
  }
  for (const ProtectionPart& part : protection.parts) {
    for (const std::string& defect : part.defects) {
      bullets.items.push_back(printable(part.path.string() + ": " + defect));
    }
  }
  return bullets;
}

/// ", outside of what is protected" if it is.
std::string place_text(const CheckedProtection& checked, const std::string& path) {
  return is_moved_out(checked, path) ? ", outside of what is protected" : "";
}

/// The new names of moved files: a line for each file, or one for all files of a directory.
std::vector<std::string> moved_lines(const CheckedProtection& checked) {
  const FoundSegments& found = checked.check.found;
  std::vector<std::pair<std::string, std::string>> moved;
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    if (found.files[file].kind != FileKind::kMoved) continue;
    moved.emplace_back(checked.protection.manifest.files[file].name,
                       found.sources[found.files[file].source].path.string());
  }
  std::vector<std::string> all;
  for (const ProtectedFile& file : checked.protection.manifest.files) all.push_back(file.name);
  std::vector<std::string> lines;
  for (const Renamed& each : joined_renames(moved, all)) {
    lines.push_back(each.files == 0
                        ? fmt::format("{}: it is {} now{}", each.before, each.now,
                                      place_text(checked, each.now))
                        : fmt::format("{}: {} files are in {} now{}", directory_name(each.before),
                                      count_of(each), directory_name(each.now),
                                      place_text(checked, each.now)));
  }
  return lines;
}

/// Table of the files that are not whole, the worst first, and of the lost bytes.
Table troubles(const CheckedProtection& checked) {
  const std::vector<ProtectedFile>& names = checked.protection.manifest.files;
  const ProtectionCheck& check = checked.check;
  Table table{{{"", {"file"}, true}}, {{"", {}}}};
  const auto add = [&](const char* kind, std::vector<std::string> lines) {
    for (const std::string& line : shortened(std::move(lines), checked.lists_all, "")) {
      table.blocks.back().rows.push_back({0, kind, {printable(line)}});
    }
  };
  std::vector<std::string> lost;
  std::vector<std::string> blocked;
  for (const LostBytes& range : check.lost) {
    std::string line =
        fmt::format("{}: bytes {}-{}", names[range.file].name, range.begin, range.end - 1);
    const Loss loss = loss_of(check, range);
    if (loss == Loss::kLost) {
      lost.push_back(std::move(line));
    } else if (loss == Loss::kUnread && !check.found.files[range.file].is_away &&
               check.found.files[range.file].kind != FileKind::kUnreadable) {
      blocked.push_back(
          line +
          " can be restored only with files that cannot be read, or are missing with a disk");
    }
  }
  add("lost", std::move(lost));
  add("blocked", std::move(blocked));
  for (const FileKind kind : {FileKind::kMissing, FileKind::kDamaged, FileKind::kUnreadable,
                              FileKind::kReplaced, FileKind::kEdited}) {
    std::vector<std::string> lines;
    for (std::size_t file = 0; file < check.found.files.size(); ++file) {
      if (check.found.files[file].kind != kind) continue;
      lines.push_back(names[file].name + ": " + why(checked, file));
    }
    add(to_string(kind), std::move(lines));
  }
  add(to_string(FileKind::kMoved), moved_lines(checked));
  std::vector<std::string> added;
  for (const std::string& name : checked.unprotected) {
    const auto like = check.found.set_aside.find(name);
    added.push_back(like == check.found.set_aside.end()
                        ? name + ": it is not protected"
                        : fmt::format("{}: it is not protected; {}", name, like->second));
  }
  add("new", std::move(added));
  std::vector<std::string> linked;
  for (const std::string& name : checked.linked) {
    linked.push_back(name + ": it is a symbolic link now, and protect --update protects nothing " +
                     "behind it");
  }
  add("link", std::move(linked));
  return table;
}

}  // namespace

const char* to_string(FileState::Kind kind) {
  switch (kind) {
    case FileKind::kWhole:
      return "whole";
    case FileKind::kDamaged:
      return "damaged";
    case FileKind::kEdited:
      return "edited";
    case FileKind::kReplaced:
      return "replaced";
    case FileKind::kMoved:
      return "moved";
    case FileKind::kUnreadable:
      return "unreadable";
    case FileKind::kMissing:
      break;
  }
  return "missing";
}

const char* blocked_text(const FoundSegments& found) {
  return found.away.empty() ? "if the files that cannot be read are whole"
                            : "with files that cannot be read, or are missing with a disk";
}

std::size_t num_bad_blocks(const ProtectionCheck& check) {
  return std::accumulate(check.bad_blocks.begin(), check.bad_blocks.end(), std::size_t{0});
}

Json named_json(const std::string& text, const char* key) {
  Json entry{{key, text}};
  try {
    static_cast<void>(entry.dump());
  } catch (const Error&) {
    std::string digits;
    for (const char byte : text) {
      digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    entry[std::string(key) + "_hex"] = digits;
  }
  return entry;
}

bool is_moved_out(const CheckedProtection& checked, const std::filesystem::path& path) {
  const std::string name = path.lexically_relative(checked.directory).string();
  return !covers(checked.protection.manifest.scope, name);
}

std::size_t count_files(const ProtectionCheck& check, FileState::Kind kind) {
  return static_cast<std::size_t>(std::ranges::count(check.found.files, kind, &FileState::kind));
}

Document checked_document(const CheckedProtection& checked) {
  Document document{"Protected files", data_of(checked)};
  document.add(facts(checked));
  document.add(defects(checked.protection));
  if (Table table = troubles(checked); !table.blocks.back().rows.empty()) {
    document.add(std::move(table));
  }
  return document;
}

void add_described(Document& document, const Protection& protection) {
  const ProtectionPart& part = protection.parts.front();
  const PartHeader& header = part.header;
  Json files = Json::array();
  for (const ProtectedFile& file : protection.manifest.files) {
    Json entry = named_json(file.name);
    entry["bytes"] = file.bytes;
    entry["permissions"] = file.permissions;
    entry["modified_seconds"] = file.modified_seconds;
    entry["modified_nanoseconds"] = file.modified_nanoseconds;
    files.push_back(std::move(entry));
  }
  const ProtectionScope& scope = protection.manifest.scope;
  const auto names_json = [](const std::vector<std::string>& names) {
    Json array = Json::array();
    for (const std::string& name : names) array.push_back(named_json(name));
    return array;
  };
  const Json record{{"protection", to_string(header.id)},
                    {"generation", header.generation},
                    {"directories", names_json(scope.directories)},
                    {"excluded", names_json(scope.excluded)},
                    {"part", header.part},
                    {"parts", header.parts},
                    {"code", protection.code.spec},
                    {"block_bytes", header.block_bytes},
                    {"chunk_blocks", header.chunk_blocks},
                    {"first_chunk", header.first},
                    {"chunks", header.count},
                    {"defects", part.defects},
                    {"follows_links", protection.manifest.scope.follows_links},
                    {"files", std::move(files)}};
  document.data["protections"].push_back(record);
  Facts facts{
      {{"protection",
        fmt::format("{}, file {} of {}", to_string(header.id), header.part + 1, header.parts)},
       {"code", protection.code.spec},
       {"blocks", blocks_text(protection)},
       {"redundancy", fmt::format("{} of {}", header.count, counted(protection.code.m, "chunk"))},
       {"files", fmt::format("{} of {}", protection.map.num_files(),
                             bytes_text(protection.map.stream_bytes()))},
       {"generation", std::to_string(header.generation)}}};
  std::vector<std::string> directories;
  for (const std::string& name : scope.directories) directories.push_back(directory_name(name));
  if (!directories.empty()) facts.add("directories", printable(few_names(directories)));
  if (!scope.excluded.empty()) facts.add("excluded", printable(few_names(scope.excluded)));
  if (scope.follows_links) facts.add("links", "followed");
  document.add(std::move(facts));
  document.add(defects(protection));
  const Show printed = [](const Json& name) { return printable(name.text()); };
  document.add(record_table(record["files"], {"bytes", "bytes", in_full},
                            {{"", {{"file", "name", printed}}, true}}));
}

}  // namespace xorloom::cli
