#include "runtime/upkeep/elsewhere.hpp"

#include <string>
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

}  // namespace xorloom
