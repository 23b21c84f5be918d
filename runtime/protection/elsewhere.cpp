#include "runtime/protection/elsewhere.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "runtime/protection/compare_file.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/list_files.hpp"

namespace xorloom {
namespace fs = std::filesystem;

namespace {

/// Most comparisons of a protected file and another one.
constexpr std::size_t kMostComparedElsewhere = std::size_t{1} << 17;

}  // namespace

std::set<fs::path> top_directories(const Manifest& manifest, const fs::path& base) {
  std::set<fs::path> tops;
  for (const ProtectedFile& file : manifest.files) {
    const std::size_t end = file.name.find('/');
    if (end != std::string::npos) tops.insert(base / file.name.substr(0, end));
  }
  return tops;
}

void add_places(const Manifest& manifest, const fs::path& base,
                const std::set<std::uint64_t>& lengths, OtherFiles& others) {
  std::set<fs::path> tops = top_directories(manifest, base);
  for (const fs::path& top : tops) {
    others.add_directory(top, {.below = true,
                               .is_given = true,
                               .lengths = lengths,
                               .follows_links = manifest.scope.follows_links});
  }
  others.add_directory(base, {.below = true,
                              .is_given = true,
                              .lengths = lengths,
                              .stays_on_device = true,
                              .passed_over = std::move(tops)});
}

std::map<std::size_t, FoundElsewhere> find_elsewhere(const Protection& protection,
                                                     const fs::path& base,
                                                     const SoughtFiles& sought,
                                                     const std::vector<SourceFile>& sources,
                                                     const std::vector<std::uint32_t>& among,
                                                     std::uint64_t& bytes_read) {
  std::multimap<std::uint64_t, std::size_t> by_bytes;
  for (const auto& each : sought) {
    const std::uint64_t bytes = protection.map.bytes_of_file(each.first);
    if (bytes != 0) by_bytes.emplace(bytes, each.first);
  }
  std::map<std::size_t, FoundElsewhere> found;
  std::size_t comparisons = 0;
  for (const std::uint32_t source : among) {
    const SourceFile& other = sources[source];
    const auto [begin, end] = by_bytes.equal_range(other.bytes);
    for (auto each = begin; each != end && comparisons < kMostComparedElsewhere; ++each) {
      const std::size_t file = each->second;
      const ProtectedFile& before = protection.manifest.files[file];
      const bool has_time = other.has_time(time_of(before));
      const bool is_wanted = has_time || sought.at(file);
      if (!is_wanted || found[file].is_whole || other.path == base / before.name) continue;
      ++comparisons;
      const FileComparison compared =
          compare_file(protection, file, OpenFile(other.path),
                       has_time ? CompareUp::kToEnd : CompareUp::kToDifference, bytes_read);
      const bool is_left = has_time && compared.has_block && compared.alike > found[file].alike &&
                           name_of_kept(other.path.filename().string()).empty();
      if (compared.is_equal || is_left) found[file] = {source, compared.is_equal, compared.alike};
    }
  }
  std::erase_if(found, [](const auto& each) { return each.second.source == SegmentPlace::kLost; });
  return found;
}

MovedOut find_moved_out(const Protection& old, const ListedFiles& listed, const fs::path& base,
                        FilesNow& now) {
  const std::vector<ProtectedFile>& files = old.manifest.files;
  std::set<std::size_t> there = now.held;
  for (const auto& each : now.same) there.insert(each.first);
  for (const auto& each : now.damaged) there.insert(each.second);
  SoughtFiles sought;
  std::set<std::uint64_t> lengths;
  for (std::size_t file = 0; file < files.size(); ++file) {
    if (there.contains(file) || files[file].bytes == 0) continue;
    const bool is_listed =
        std::ranges::binary_search(listed.files, files[file].name, {}, &ProtectedFile::name);
    std::error_code error;
    if (!is_listed && fs::is_regular_file(base / files[file].name, error)) continue;
    sought[file] = !is_listed || std::ranges::binary_search(now.replaced, file);
    lengths.insert(files[file].bytes);
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
  add_places(old.manifest, base, lengths, others);
  for (const auto& [file, place] :
       find_elsewhere(old, base, sought, sources, others.sources(), now.bytes_read)) {
    if (place.is_whole && !sought.at(file)) continue;
    (place.is_whole ? found.whole : found.damaged)
        .emplace(files[file].name, sources[place.source].path.string());
  }
  return found;
}

}  // namespace xorloom
