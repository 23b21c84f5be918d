#include "cli/pages/next_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/pages/name_lists.hpp"
#include "cli/shell/program_words.hpp"
#include "codes/text/counted.hpp"
#include "runtime/protection/missing_files.hpp"
#include "runtime/upkeep/files_there.hpp"
#include "runtime/upkeep/replace_file.hpp"

namespace xorloom::cli {
namespace {

using FileKind = FileState::Kind;

/// "1 was moved", "3 were moved".
std::string were(std::size_t files, const char* what) {
  return fmt::format("{} {} {}", files, files == 1 ? "was" : "were", what);
}

/// The number of files that were changed, and cannot be brought back as they were.
std::size_t num_changed_for_good(const ProtectionCheck& check) {
  std::set<std::size_t> files;
  for (const LostBytes& lost : check.lost) {
    if (loss_of(check, lost) == Loss::kChanged) files.insert(lost.file);
  }
  return files.size();
}

/// The reason why protect --update refuses to give up directories, and the way out, as a phrase.
std::string why_kept(const CheckedProtection& checked) {
  const FoundSegments& found = checked.check.found;
  const std::vector<ProtectedFile>& files = checked.protection.manifest.files;
  const MissingDirectory* missing = nullptr;  // the first that has a file that was not found
  std::vector<std::pair<std::string, std::string>> outside;
  for (const MissingDirectory& directory : found.away) {
    for (std::size_t file = 0; file < found.files.size(); ++file) {
      const FileState& state = found.files[file];
      if (!is_below(files[file].name, directory.name)) continue;
      if (state.kind == FileKind::kMoved) {
        outside.emplace_back(files[file].name, found.sources[state.source].path.string());
      } else if (!state.left_out.empty()) {
        outside.emplace_back(files[file].name, state.left_out.string());
      } else if (missing == nullptr) {
        missing = &directory;
      }
    }
  }
  if (outside.empty()) {
    return fmt::format(
        "none of the files of {} is in it, or where it was moved to, as if a disk were not "
        "mounted: --accept-missing gives up what is missing",
        directory_name(missing->name));
  }
  std::vector<std::string> all;
  for (const ProtectedFile& file : files) all.push_back(file.name);
  const std::vector<Renamed> moved = joined_renames(outside, all);
  const Renamed& first = moved.front();
  const bool is_one = moved.size() == 1 && !is_within(checked.directory, first.now);
  const std::string them = !is_one            ? "these files"
                           : first.files == 0 ? first.now
                                              : directory_name(first.now);
  if (missing != nullptr) {
    return fmt::format(
        "none of the files of {} is in what is protected, as if a disk were not mounted: name {} "
        "to it, too; --accept-missing gives up what is missing, or elsewhere",
        directory_name(missing->name), them);
  }
  const std::size_t others = found.away.size() - 1;
  return fmt::format(
      "the files of {}{} are outside of what is protected: name {} to it, too; --accept-missing "
      "gives them up",
      directory_name(found.away.front().name),
      others == 0 ? "" : " and of " + counted(others, "more directory", "more directories"), them);
}

/// The reason why protect --update would refuse, and the way out, as a phrase; nullopt: it would
/// not.
std::optional<std::string> why_update_refuses(const CheckedProtection& checked) {
  const FoundSegments& found = checked.check.found;
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    const std::string& name = checked.protection.manifest.files[file].name;
    const bool is_gone =
        found.files[file].kind == FileKind::kMissing || found.files[file].kind == FileKind::kMoved;
    if (is_gone && leads_nowhere(checked.directory, name)) {
      return "a symbolic link in the path of " + name +
             " leads nowhere: --accept-missing gives up what is missing";
    }
    const FileKind kind = found.files[file].kind;
    const FileMap& map = checked.protection.map;
    if ((kind != FileKind::kMoved && kind != FileKind::kReplaced) || map.bytes_of_file(file) == 0) {
      continue;
    }
    const SegmentPlace& place = found.places[map.first_segment(file)];
    if (!place.is_found()) continue;
    const std::filesystem::path& now = found.sources[place.source].path;
    const std::string kept = now.lexically_relative(checked.directory).string();
    const bool is_set_aside = !name_of_kept(now.filename().string()).empty() &&
                              !protects(checked.protection.manifest, kept);
    if (is_set_aside) {
      return name + " is " + kept +
             " now, as if a repair was interrupted: repair restores it, and "
             "--accept-missing gives it up";
    }
  }
  if (found.away.empty()) return std::nullopt;
  return why_kept(checked);
}

/// True if an update does not see that another file has the name of a protected one.
bool is_unseen(const FileState& state) {
  return state.kind == FileKind::kReplaced && state.looks_the_same;
}

std::size_t num_unseen(const ProtectionCheck& check) {
  return static_cast<std::size_t>(std::ranges::count_if(check.found.files, is_unseen));
}

/// True if some missing file cannot be restored before something is moved away.
bool is_any_in_the_way(const CheckedProtection& checked) {
  const std::vector<FileState>& states = checked.check.found.files;
  for (std::size_t file = 0; file < states.size(); ++file) {
    const std::string& name = checked.protection.manifest.files[file].name;
    const bool is_missing = states[file].kind == FileKind::kMissing;
    if (is_missing && !in_the_way(checked.directory, name).empty()) return true;
  }
  return false;
}

/// The command that restores files: links lead out of the base directory to some of them, maybe.
const char* repair_command(const CheckedProtection& checked) {
  const Manifest& manifest = checked.protection.manifest;
  std::vector<std::string> names;
  for (std::size_t file = 0; file < manifest.files.size(); ++file) {
    const FileKind kind = checked.check.found.files[file].kind;
    if (kind != FileKind::kWhole) names.push_back(manifest.files[file].name);
  }
  const bool leads_out = manifest.scope.follows_links && any_leads_out(checked.directory, names);
  return leads_out ? "repair --dereference" : "repair";
}

/// Says what repair and protect --update would do about files that were moved, changed or removed.
std::string next_steps(const CheckedProtection& checked) {
  const ProtectionCheck& check = checked.check;
  if (const auto& place = check.found.others) {
    return fmt::format(
        "not half of any larger one in {} is there, as if this were another disk: mount the right "
        "one, or say with --base where they are; if these are the files, repair --base {} brings "
        "back what they were, and protect --update --accept-missing takes in what they are",
        place->string(), shell_word(checked.directory.string()));
  }
  const std::size_t missing = count_files(check, FileKind::kMissing);
  const std::size_t others = count_files(check, FileKind::kMoved) +
                             count_files(check, FileKind::kEdited) +
                             count_files(check, FileKind::kReplaced);
  const std::size_t for_good = num_changed_for_good(check);
  const char* const them = missing == 1 ? "it" : "them";
  const auto is_out = [&](const FileState& state) {
    return state.kind == FileKind::kMoved &&
           is_moved_out(checked, check.found.sources[state.source].path);
  };
  const auto out = static_cast<std::size_t>(std::ranges::count_if(check.found.files, is_out));
  const char* const repair = repair_command(checked);
  std::string text =
      others == 0     ? fmt::format("{} brings {} back", repair, them)
      : for_good == 0 ? fmt::format("{} brings back what they were", repair)
      : for_good == others + missing
          ? "what they were cannot be brought back"
          : fmt::format("{} brings back what all but {} of them were", repair, for_good);
  if (const std::string base = other_base(checked.protection, check.found); !base.empty()) {
    text = fmt::format("{}; else, {}", base, text);
  }
  if (is_any_in_the_way(checked)) text += " once what is in the way is moved away";
  if (const auto why = why_update_refuses(checked)) {
    return fmt::format("{}, and protect --update refuses, as {}", text, *why);
  }
  const auto kept =
      static_cast<std::size_t>(std::ranges::count_if(check.found.files, [](const FileState& state) {
        return state.kind == FileKind::kMissing && !state.left_out.empty();
      }));
  if (others == 0 && kept == missing) {
    return fmt::format("{}, and protect --update keeps {} protected", text, them);
  }
  const std::string but = kept == 0 ? ""
                                    : fmt::format(", but for {} that {} damaged elsewhere", kept,
                                                  kept == 1 ? "is" : "are");
  if (others == 0) {
    return fmt::format("{}, and protect --update no longer protects {}{}", text, them, but);
  }
  const std::size_t unseen = num_unseen(check);
  std::size_t copies = 0;  // damaged ones of other files
  for (std::size_t file = 0; file < check.found.files.size(); ++file) {
    const bool is_edited = check.found.files[file].kind == FileKind::kEdited;
    const std::string& name = checked.protection.manifest.files[file].name;
    copies += is_edited && check.found.set_aside.contains(name) ? 1U : 0U;
  }
  if (copies == others) {
    text += ", and protect --update does not take in damaged copies";
  } else if (unseen == others) {
    text +=
        fmt::format(", and protect --update does not see {}: touch what you want protected as {}",
                    unseen == 1 ? "the change" : "the changes", unseen == 1 ? "it is" : "they are");
  } else {
    text += ", and protect --update takes in what they are";
    if (copies != 0) text += ", but for " + counted(copies, "damaged copy", "damaged copies");
    if (unseen != 0)
      text += fmt::format(", but for the {} of the same size and time: touch {}", unseen,
                          unseen == 1 ? "that file" : "these files");
  }
  if (missing != kept) text += ", and gives up what is missing" + but;
  if (out != 0) {
    text += fmt::format(
        ", but no longer protects what is outside of the protected directories: "
        "name {} to it, too",
        out == 1 ? "that file" : "these files");
  }
  return text;
}

}  // namespace

std::string other_base(const Protection& protection, const FoundSegments& found) {
  std::optional<std::string> base;
  std::size_t moved = 0;
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    const FileState& state = found.files[file];
    const bool is_moved = state.kind == FileKind::kMoved;
    const std::filesystem::path now = is_moved                ? found.sources[state.source].path
                                      : !state.became.empty() ? state.became
                                                              : state.left_out;
    if (now.empty() && state.kind == FileKind::kMissing) continue;
    if (now.empty()) return "";
    std::string path = now.lexically_normal().string();
    if (!path.starts_with('/')) path.insert(0, "./");
    const std::string name = "/" + protection.manifest.files[file].name;
    if (!path.ends_with(name)) return "";
    const std::string above = path.substr(0, path.size() - name.size());
    if (base && *base != above) return "";
    base = above;
    ++moved;
  }
  return moved < 2 ? "" : "as if --base were " + shell_word(*base);
}

std::string elsewhere_text(const Protection& protection, const ProtectionCheck& check) {
  const std::string base = other_base(protection, check.found);
  const std::uint64_t bytes =
      bytes_beyond_repair(check, Loss::kLost) + bytes_beyond_repair(check, Loss::kUnread);
  if (bytes == 0 || base.empty()) return "";
  return fmt::format("all that was found is elsewhere, {}; else, {} cannot be restored", base,
                     counted(bytes, "byte"));
}

std::string search_way(const ProtectionCheck& check) {
  std::vector<std::string> unsearched;
  for (const std::filesystem::path& path : check.found.unsearched)
    unsearched.push_back(path.string());
  return "; if there is a copy anywhere, name its directory to repair, too, which searches it" +
         std::string(unsearched.empty() ? "" : "; not searched, as it cannot be read: ") +
         few_names(unsearched);
}

std::string troubles_text(const CheckedProtection& checked) {
  const ProtectionCheck& check = checked.check;
  const std::size_t damaged = count_files(check, FileKind::kDamaged);
  const std::size_t moved = count_files(check, FileKind::kMoved);
  const std::size_t missing = count_files(check, FileKind::kMissing);
  const std::size_t edited = count_files(check, FileKind::kEdited);
  const std::size_t unseen = num_unseen(check);
  const std::size_t replaced = count_files(check, FileKind::kReplaced) - unseen;
  std::string text;
  if (damaged != 0) {
    text = fmt::format("{} {} damaged, and {} restores {}", counted(damaged, "file"),
                       damaged == 1 ? "is" : "are", repair_command(checked),
                       damaged == 1 ? "it" : "them");
  }
  std::vector<std::string> changes;
  if (moved != 0) changes.push_back(were(moved, "moved"));
  if (missing != 0)
    changes.push_back(fmt::format("{} {} missing", missing, missing == 1 ? "is" : "are"));
  if (edited != 0) changes.push_back(were(edited, "edited"));
  if (replaced != 0) changes.push_back(were(replaced, "replaced by another one"));
  if (unseen != 0)
    changes.push_back(were(unseen, "replaced by another one of the same size and time"));
  if (changes.empty()) return text;
  text += fmt::format("{}of {}, {}: {}", text.empty() ? "" : "; ",
                      counted(check.found.files.size(), "protected file"), fmt::join(changes, ", "),
                      next_steps(checked));
  return text;
}

}  // namespace xorloom::cli
