#include "runtime/upkeep/kept_files.hpp"

#include <sys/stat.h>

#include "runtime/protection/compare_file.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/list_files.hpp"

namespace xorloom {
namespace fs = std::filesystem;

KeptKind kind_of_kept(const Protection& protection, std::span<const fs::path> places,
                      const std::set<fs::path>& whole, std::size_t file, const fs::path& kept) {
  const std::vector<ProtectedFile>& files = protection.manifest.files;
  struct stat status {};
  if (::lstat(kept.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return KeptKind::kOtherTime;
  bool is_what_was = false;  // has the content of a file that is not whole now
  for (std::size_t other = 0; other < files.size() && status.st_size != 0; ++other) {
    if (files[other].bytes != static_cast<std::uint64_t>(status.st_size)) continue;
    if (!has_content_of(protection, other, kept)) continue;
    const fs::path& path = places[other];
    if (whole.contains(path) && has_content_of(protection, other, path)) return KeptKind::kSpare;
    is_what_was = true;
  }
  // Damage leaves a file's time, and an edit does not. A file may have been moved over this one.
  const auto is_damage_of = [&](std::size_t other) {
    const fs::path& path = places[other];
    return other != file && is_same_time(time_of(files[other]), time_of(status)) &&
           whole.contains(path) && may_be_damage_of(path, kept);
  };
  for (std::size_t other = 0; other < files.size() && !is_what_was; ++other) {
    if (is_damage_of(other)) return KeptKind::kSpare;
  }
  if (!is_same_time(time_of(files[file]), time_of(status))) return KeptKind::kOtherTime;
  if (is_what_was) return KeptKind::kOnlyCopy;
  // Until NAME is restored there is nothing to compare with: its time alone decides.
  const fs::path& name = places[file];
  const bool is_damage = status.st_size == 0 || kept == name || may_be_damage_of(name, kept);
  return is_damage ? KeptKind::kSpare : KeptKind::kOnlyCopy;
}

std::vector<std::pair<std::string, std::size_t>> kept_names(
    const std::vector<std::string>& names, const std::map<std::string, std::size_t>& files) {
  std::vector<std::pair<std::string, std::size_t>> kept;
  for (const std::string& name : names) {
    const std::string whole_name = name_of_kept(name);
    if (whole_name.empty()) continue;
    auto of = files.lower_bound(whole_name);  // its name may have been cut
    while (of != files.end() && of->first.starts_with(whole_name) && !is_kept_of(name, of->first))
      ++of;
    if (of != files.end() && is_kept_of(name, of->first)) kept.emplace_back(name, of->second);
  }
  return kept;
}

}  // namespace xorloom
