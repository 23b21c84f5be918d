#include "runtime/upkeep/files_there.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/missing_files.hpp"

namespace xorloom {

namespace fs = std::filesystem;

namespace {

/// What is known of the larger files of a place.
struct Place {
  std::size_t files = 0;
  bool is_itself = false;                  ///< one of them is what it was, or may be
  bool has_others = false;                 ///< other files have names of some
  std::optional<std::string> directory{};  ///< that all of them are in, from the base
};

/// The first of `names` that is `name` or a directory above it; "": there is none.
std::string above(const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::ranges::find_if(
      names, [&](const std::string& each) { return name == each || is_below(name, each); });
  return found == names.end() ? "" : *found;
}

/// True if a protected file is what it was, or enough of it is found, or what has its name may be
/// what it became: see place_of_others().
bool may_be_itself(const Protection& protection, const FoundSegments& found, std::size_t file) {
  const FileState& state = found.files[file];
  if (state.kind == FileState::Kind::kWhole || !state.became.empty() || state.error != 0) {
    return true;
  }
  const bool is_there =
      state.source != SegmentPlace::kLost && state.kind != FileState::Kind::kMoved;
  const bool tells = state.bytes == protection.map.bytes_of_file(file) ||
                     protection.manifest.files[file].modified_nanoseconds != 0;
  if (is_there && !state.has_other_time && tells) return true;
  std::size_t blocks = 0;
  std::size_t there = 0;
  for (std::size_t s = protection.map.first_segment(file);
       s < protection.map.first_segment(file + 1); ++s) {
    const SegmentPlace& place = found.places[s];
    ++blocks;
    there += place.is_found() && !found.sources[place.source].is_given ? 1U : 0U;
  }
  return 2 * there >= blocks;
}

}  // namespace

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
  // If links are followed, directories are listed together: what has its own name in one must not
  // be listed by a link in another.
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
    std::error_code error;
    const fs::path path = base / file.name;
    if (!covers(manifest.scope, file.name) && fs::exists(fs::symlink_status(path, error)))
      paths.push_back(path);
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

void note_away(const Protection& protection, const fs::path& base, FoundSegments& found) {
  const Manifest& manifest = protection.manifest;
  std::vector<std::string> gone;
  std::set<std::string> held;
  std::set<std::string> elsewhere;
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    const FileState& state = found.files[file];
    if (!state.left_out.empty()) held.insert(manifest.files[file].name);
    const auto is_out = [&] {
      const fs::path& now = found.sources[state.source].path;
      return !covers(manifest.scope, now.lexically_relative(base).string());
    };
    const bool is_gone = state.kind == FileState::Kind::kMissing ||
                         (state.kind == FileState::Kind::kMoved && is_out());
    if (is_gone) gone.push_back(manifest.files[file].name);
    const bool is_elsewhere = !is_gone && state.kind == FileState::Kind::kMoved;
    if (is_elsewhere) elsewhere.insert(manifest.files[file].name);
  }
  found.away =
      missing_directories(manifest.files, gone, manifest.scope.directories, held, elsewhere);
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    FileState& state = found.files[file];
    state.is_away = state.kind == FileState::Kind::kMissing &&
                    std::ranges::any_of(found.away, [&](const MissingDirectory& directory) {
                      return is_below(manifest.files[file].name, directory.name);
                    });
  }
}

std::optional<fs::path> place_of_others(const Protection& protection, const FoundSegments& found,
                                        const fs::path& base) {
  constexpr std::size_t kLeast = 3;
  const Manifest& manifest = protection.manifest;
  std::vector<bool> is_larger(found.files.size());
  std::vector<bool> is_strange(found.files.size());
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    is_larger[file] = protection.map.bytes_of_file(file) > protection.map.block_bytes();
    is_strange[file] = is_larger[file] && !may_be_itself(protection, found, file);
  }
  if (static_cast<std::size_t>(std::ranges::count(is_strange, true)) < kLeast) return std::nullopt;
  const std::vector<std::string> links = manifest.scope.follows_links
                                             ? linked_names(manifest.files, base)
                                             : std::vector<std::string>();
  Place all;
  std::map<std::tuple<std::string, std::string, dev_t>, Place> places;
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    if (!is_larger[file]) continue;
    const FileState& state = found.files[file];
    const std::string& name = manifest.files[file].name;
    const auto device = file_identity((base / name).parent_path()).value_or(FileIdentity{}).device;
    Place& own = places[{above(name, manifest.scope.directories), above(name, links), device}];
    for (Place* const place : {&all, &own}) {
      ++place->files;
      place->is_itself |= !is_strange[file];
      place->has_others |= state.source != SegmentPlace::kLost &&
                           state.kind != FileState::Kind::kMoved &&
                           state.kind != FileState::Kind::kReplaced;
      if (!place->directory) place->directory = fs::path(name).parent_path().string();
      while (!is_below(name, *place->directory)) {
        place->directory = fs::path(*place->directory).parent_path().string();
      }
    }
  }
  const auto are_others = [](const Place& place) {
    return place.files >= kLeast && place.has_others && !place.is_itself;
  };
  if (are_others(all)) return base;
  for (const auto& each : places) {
    if (are_others(each.second)) return base / *each.second.directory;
  }
  return std::nullopt;
}

std::string others_text(const fs::path& place) {
  return fmt::format(
      "other files have names of protected files in {}, and not half of any larger one is there, "
      "as if this were another disk",
      place.string());
}

std::string right_disk_text(bool is_known) {
  return is_known
             ? "mount the right disk there, or name the directory of the files with option base"
             : "option base says where the protected files are";
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
    // On such a file system each name may have a file number of its own.
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
