#include "runtime/protection/elsewhere.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/compare_file.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/missing_files.hpp"

namespace xorloom {
namespace fs = std::filesystem;

namespace {

/// Most comparisons of a protected file and another one.
constexpr std::size_t kMostComparedElsewhere = std::size_t{1} << 17;

constexpr const char* kOutsideText = "outside of what is protected";
constexpr const char* kDamagedText = "damaged";

/// True if the target of a link in the place of a protected file is what damage left of the file.
bool is_left_behind_link(const Protection& old, std::size_t file, const fs::path& target,
                         const ListedFiles& listed) {
  struct stat status {};
  if (::stat(target.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const ProtectedFile& before = old.manifest.files[file];
  const bool has_size = static_cast<std::uint64_t>(status.st_size) == before.bytes;
  const bool has_fine_time = before.modified_nanoseconds != 0 && time_of(status) == time_of(before);
  if (!has_fine_time && !(has_size && is_same_time(time_of(before), time_of(status)))) return false;
  const bool is_listed = std::ranges::any_of(listed.statuses, [&](const struct stat& other) {
    return other.st_dev == status.st_dev && other.st_ino == status.st_ino;
  });
  return !is_listed && OpenFile(target).is_open() && !has_content_of(old, file, target);
}

}  // namespace

std::set<fs::path> top_directories(const Manifest& manifest, const fs::path& base) {
  std::set<fs::path> tops;
  for (const ProtectedFile& file : manifest.files) {
    const std::size_t end = file.name.find('/');
    if (end != std::string::npos) tops.insert(base / file.name.substr(0, end));
  }
  for (const std::string& directory : manifest.scope.directories) {
    if (!directory.empty()) tops.insert(base / directory.substr(0, directory.find('/')));
  }
  return tops;
}

LengthsAndTimes lengths_and_times(const Protection& protection, const SoughtFiles& sought) {
  LengthsAndTimes alike;
  for (const auto& each : sought) {
    const ProtectedFile& file = protection.manifest.files[each.first];
    alike.lengths.insert(protection.map.bytes_of_file(each.first));
    if (file.modified_nanoseconds != 0) alike.times.insert(time_of(file));
  }
  return alike;
}

void add_places(const Manifest& manifest, const fs::path& base, const LengthsAndTimes& alike,
                OtherFiles& others) {
  std::set<fs::path> tops = top_directories(manifest, base);
  const bool protects_all = std::ranges::find(manifest.scope.directories, std::string()) !=
                            manifest.scope.directories.end();
  for (const fs::path& top : tops) {
    others.add_directory(top, {.below = true,
                               .is_given = true,
                               .alike = alike,
                               .follows_links = manifest.scope.follows_links});
  }
  others.add_directory(base, {.below = true,
                              .is_given = true,
                              .alike = alike,
                              .stays_on_device = !protects_all,
                              .passed_over = std::move(tops)});
}

std::map<std::size_t, FoundElsewhere> find_elsewhere(
    const Protection& protection, const fs::path& base, const SoughtFiles& sought,
    DirectoryPairs moved, const std::vector<SourceFile>& sources,
    const std::vector<std::uint32_t>& among, std::uint64_t& bytes_read) {
  std::map<std::uint64_t, std::vector<std::size_t>> by_bytes;
  std::map<ModifiedTime, std::vector<std::size_t>> by_time;  // only times to the nanosecond
  for (const auto& each : sought) {
    const std::uint64_t bytes = protection.map.bytes_of_file(each.first);
    if (bytes == 0) continue;
    by_bytes[bytes].push_back(each.first);
    const ProtectedFile& file = protection.manifest.files[each.first];
    if (file.modified_nanoseconds != 0) by_time[time_of(file)].push_back(each.first);
  }
  const auto files_like = [&](const SourceFile& other) {
    std::vector<std::size_t> files;
    if (const auto same = by_bytes.find(other.bytes); same != by_bytes.end()) files = same->second;
    const auto same = other.modified ? by_time.find(*other.modified) : by_time.end();
    if (same == by_time.end()) return files;
    std::ranges::copy_if(same->second, std::back_inserter(files), [&](std::size_t file) {
      return protection.map.bytes_of_file(file) != other.bytes;
    });
    return files;
  };
  std::map<std::size_t, FoundElsewhere> found;
  std::multimap<std::size_t, std::uint32_t> named;  // by file: others of its last name and time
  const auto directories = [&](std::size_t file, std::uint32_t source) {
    return std::pair((base / protection.manifest.files[file].name).parent_path(),
                     sources[source].path.parent_path());
  };
  std::size_t comparisons = 0;
  for (const std::uint32_t source : among) {
    const SourceFile& other = sources[source];
    for (const std::size_t file : files_like(other)) {
      if (comparisons >= kMostComparedElsewhere) break;
      const ProtectedFile& before = protection.manifest.files[file];
      const bool has_time = other.has_time(time_of(before));
      const bool is_wanted = has_time || sought.at(file);
      if (!is_wanted || found[file].is_whole || other.path == base / before.name) continue;
      ++comparisons;
      const FileComparison compared =
          compare_file(protection, file, OpenFile(other.path),
                       has_time ? CompareUp::kToEnd : CompareUp::kToDifference, bytes_read);
      const std::string last_name = other.path.filename().string();
      const bool may_be_left = has_time && compared.error == 0 && name_of_kept(last_name).empty();
      const bool is_left = may_be_left && compared.has_block && compared.alike > found[file].alike;
      if (compared.is_equal || is_left) found[file] = {source, compared.is_equal, compared.alike};
      const bool has_fine_time =
          before.modified_nanoseconds != 0 && other.modified == time_of(before);
      const bool has_size = other.bytes == protection.map.bytes_of_file(file);
      if (!may_be_left || !has_fine_time || !has_size) continue;
      const auto [directory_before, directory_now] = directories(file, source);
      const bool is_first = found[file].source == SegmentPlace::kLost;
      if (is_first && directory_before == directory_now) found[file] = {source};
      if (fs::path(before.name).filename() == last_name) named.emplace(file, source);
    }
  }
  std::erase_if(found, [](const auto& each) { return each.second.source == SegmentPlace::kLost; });
  for (const auto& [file, place] : found) moved.insert(directories(file, place.source));
  for (const auto& [file, source] : named) {
    if (moved.contains(directories(file, source))) found.try_emplace(file, FoundElsewhere{source});
  }
  return found;
}

std::string MovedOut::with_place(const std::string& name) const {
  const auto now = whole.find(name);
  const auto left = damaged.find(name);
  return now != whole.end()
             ? fmt::format("{}, which is {} now, {}: name it, too", name, now->second, kOutsideText)
         : left != damaged.end()
             ? fmt::format("{}, which is {} now, {}", name, left->second, kDamagedText)
             : name;
}

std::string MovedOut::places_text(const std::vector<std::string>& names) const {
  std::string text;
  const auto add = [&](const std::map<std::string, std::string>& places, const char* state,
                       const char* way_for_one, const char* way) {
    std::size_t found = 0;
    std::string first;
    for (const std::string& name : names) {
      const auto now = places.find(name);
      if (now == places.end() || ++found > 1) continue;
      first = fmt::format("; {} is {} now, {}", name, now->second, state);
    }
    if (found == 1) text += first + way_for_one;
    if (found > 1)
      text +=
          fmt::format("{}, and so {} {} more{}", first, found == 2 ? "is" : "are", found - 1, way);
  };
  add(whole, kOutsideText, ": name it, too", ": name them, too");
  add(damaged, kDamagedText, "", "");
  return text;
}

void refuse_set_aside(const MovedOut& out) {
  for (const auto& [name, place] : out.whole) {
    if (name_of_kept(fs::path(place).filename().string()).empty()) continue;
    fail(Status::kIo, fmt::format("{} is {} now, as if a repair was interrupted; nothing was "
                                  "changed; repair restores it; option accept_missing "
                                  "gives it up",
                                  name, place));
  }
}

MovedOut find_moved_out(const Protection& old, const ListedFiles& listed, const fs::path& base,
                        FilesNow& now) {
  const std::vector<ProtectedFile>& files = old.manifest.files;
  std::set<std::size_t> there = now.held;
  for (const auto& each : now.same) there.insert(each.first);
  for (const auto& each : now.damaged) there.insert(each.second);
  std::optional<std::vector<std::string>> linked;  // once, and only if a file is not listed
  SoughtFiles sought;
  std::map<std::size_t, fs::path> behind_links;  // by file: what links in its path lead to
  for (std::size_t file = 0; file < files.size(); ++file) {
    if (there.contains(file) || files[file].bytes == 0) continue;
    const bool is_listed =
        std::ranges::binary_search(listed.files, files[file].name, {}, &ProtectedFile::name);
    if (!is_listed) {
      if (!linked) linked = listed.follows_links ? decltype(linked)({}) : linked_names(files, base);
      if (is_there(base, files[file].name, *linked)) continue;
      std::error_code error;
      const fs::path target = fs::canonical(base / files[file].name, error);
      if (!error) behind_links[file] = target;
    }
    sought[file] = !is_listed || std::ranges::binary_search(now.replaced, file);
  }
  MovedOut found;
  if (sought.empty()) return found;
  std::vector<SourceFile> sources;
  OtherFiles others(sources);
  for (const ProtectionPart& part : old.parts) others.pass_over(part.file.identity());
  for (std::size_t i = 0; i < listed.files.size(); ++i) {
    const struct stat& status = listed.statuses[i];
    others.add_protected(base / listed.files[i].name, listed.files[i].bytes,
                         {status.st_dev, status.st_ino});
  }
  const LengthsAndTimes alike = lengths_and_times(old, sought);
  add_places(old.manifest, base, alike, others);
  std::set<fs::path> targets;
  for (const auto& each : behind_links) targets.insert(each.second);
  for (const fs::path& target : targets) {
    others.add_file(target, {.is_given = true, .alike = alike});
  }
  for (const auto& [file, place] :
       find_elsewhere(old, base, sought, {}, sources, others.sources(), now.bytes_read)) {
    const fs::path& path = sources[place.source].path;
    const bool cannot_be_named = targets.contains(path) && !is_within(path, base);
    if (place.is_whole) behind_links.erase(file);
    if (place.is_whole && cannot_be_named) continue;
    (place.is_whole ? found.whole : found.damaged).emplace(files[file].name, path.string());
  }
  for (const auto& [file, target] : behind_links) {
    if (!is_left_behind_link(old, file, target, listed)) continue;
    found.damaged.emplace(files[file].name, target.string());
  }
  return found;
}

}  // namespace xorloom
