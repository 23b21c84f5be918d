#include "runtime/upkeep/files_there.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {

namespace fs = std::filesystem;

void FilesByName::add(const ListedFiles& listed) {
  for (std::size_t i = 0; i < listed.files.size(); ++i) {
    files[listed.files[i].name] = {listed.files[i], listed.statuses[i]};
  }
  for (const ProtectedDirectory& directory : listed.attributes) {
    directories[directory.name] = directory;
  }
}

void FilesByName::move_to(ListedFiles& listed) && {
  listed.files.clear();
  listed.statuses.clear();
  listed.attributes.clear();
  for (auto& each : files) {
    listed.files.push_back(std::move(each.second.first));
    listed.statuses.push_back(each.second.second);
  }
  for (auto& each : directories) listed.attributes.push_back(std::move(each.second));
}

ListedFiles files_there(const Protection& protection, const fs::path& base) {
  const Manifest& manifest = protection.manifest;
  std::vector<fs::path> parts;
  for (const ProtectionPart& part : protection.parts) parts.push_back(part.path);
  // Where links are followed, what has its own name in one directory is no link's in another.
  std::vector<std::vector<fs::path>> together;
  for (const std::string& directory : manifest.scope.directories) {
    std::error_code error;
    if (!fs::is_directory(base / directory, error)) continue;
    if (together.empty() || !manifest.scope.follows_links) together.emplace_back();
    together.back().push_back(base / directory);
  }
  if (auto beside = files_beside(manifest, base); !beside.empty()) {
    together.push_back(std::move(beside));
  }
  FilesByName there;
  for (const std::vector<fs::path>& paths : together) {
    try {
      there.add(list_files(paths, base, parts, manifest.scope, leave_out_any, false,
                           [&](const auto& name) { return protects(manifest, name); }));
    } catch (const Error&) {
      continue;
    }
  }
  ListedFiles all;
  all.follows_links = manifest.scope.follows_links;
  std::move(there).move_to(all);
  return all;
}

std::vector<fs::path> files_beside(const Manifest& manifest, const fs::path& base) {
  std::vector<fs::path> paths;
  for (const ProtectedFile& file : manifest.files) {
    const bool is_covered = std::ranges::any_of(
        manifest.scope.directories,
        [&](const std::string& directory) { return is_below(file.name, directory); });
    std::error_code error;
    const fs::path path = base / file.name;
    if (!is_covered && fs::exists(fs::symlink_status(path, error))) paths.push_back(path);
  }
  return paths;
}

bool may_be_copy(const Protection& protection, const fs::path& base, std::size_t file,
                 const SourceFile& source) {
  const Manifest& manifest = protection.manifest;
  if (source.is_given || !source.modified) return source.is_given;
  const std::string name = source.path.lexically_relative(base).string();
  return !source.has_time(time_of(manifest.files[file])) && !covers(manifest.scope, name) &&
         !protects(manifest, name);
}

void set_other_times(const ComparableFiles& times, std::vector<FileState>& files) {
  for (std::size_t file = 0; file < files.size(); ++file) {
    const ProtectedFile& was = times.before[file];
    const auto own = std::ranges::lower_bound(times.now, was.name, {}, &ProtectedFile::name);
    if (own == times.now.end() || own->name != was.name) continue;
    files[file].has_other_time = time_of(*own) != time_of(was);
  }
}

bool is_partly_lost(const FileMap& map, const FoundSegments& found, std::size_t file) {
  const FileState& state = found.files[file];
  if (state.kind != FileState::Kind::kDamaged) return false;
  for (std::size_t s = map.first_segment(file); s < map.first_segment(file + 1); ++s) {
    if (!found.places[s].is_found()) return true;
  }
  return false;
}

bool are_all_others(const Protection& protection, const FoundSegments& found) {
  constexpr std::size_t kLeast = 3;
  const FileMap& map = protection.map;
  std::size_t of_several_blocks = 0;
  bool has_other = false;
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    const FileState& state = found.files[file];
    const std::span<const SegmentPlace> places =
        std::span(found.places)
            .subspan(map.first_segment(file),
                     map.first_segment(file + 1) - map.first_segment(file));
    if (places.size() < 2) continue;  // empty and small files are equal on many disks
    const bool is_there =
        state.source != SegmentPlace::kLost && state.kind != FileState::Kind::kMoved;
    const bool is_it = state.kind == FileState::Kind::kWhole || !state.became.empty() ||
                       (is_there && !state.has_other_time);
    const bool has_block = std::ranges::any_of(places, [&](const SegmentPlace& place) {
      return place.is_found() && !found.sources[place.source].is_given;
    });
    if (is_it || has_block || state.error != 0) return false;
    ++of_several_blocks;
    has_other |= is_there;
  }
  return has_other && of_several_blocks >= kLeast;
}

std::string all_others_text(const fs::path& base) {
  return fmt::format(
      "other files have names of protected files in {}, and nothing of any protected file is "
      "there, as if this were another disk",
      base.string());
}

std::vector<std::string> unprotected_files(const Protection& protection, const FoundSegments& found,
                                           const fs::path& base) {
  const Manifest& manifest = protection.manifest;
  std::set<fs::path> known;
  for (const FileState& state : found.files) {
    if (state.kind == FileState::Kind::kMoved) known.insert(found.sources[state.source].path);
    if (!state.became.empty()) known.insert(state.became);
  }
  const ListedFiles& listed = found.there;
  // A file system that ignores case has protected files under names with other capital letters.
  std::map<std::string, std::string> by_small_letters;
  for (const ProtectedFile& file : manifest.files) {
    const bool is_listed =
        std::ranges::binary_search(listed.files, file.name, {}, &ProtectedFile::name);
    if (!is_listed) by_small_letters[in_small_letters(file.name)] = file.name;
  }
  const auto is_same_file = [&](const std::string& name) {
    const auto other = by_small_letters.find(in_small_letters(name));
    if (other == by_small_letters.end()) return false;
    // The numbers of files may be other ones there, with each name.
    struct stat a {};
    struct stat b {};
    return ::lstat((base / name).c_str(), &a) == 0 &&
           ::lstat((base / other->second).c_str(), &b) == 0 && a.st_size == b.st_size &&
           a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
  };
  std::vector<std::string> unprotected;
  for (const ProtectedFile& file : listed.files) {
    const bool is_new = !protects(manifest, file.name) && !known.contains(base / file.name);
    if (is_new && !is_same_file(file.name)) unprotected.push_back(file.name);
  }
  return unprotected;
}

}  // namespace xorloom
