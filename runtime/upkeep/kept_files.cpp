#include "runtime/upkeep/kept_files.hpp"

#include <sys/stat.h>

#include "runtime/protection/compare_file.hpp"
#include "runtime/protection/file_changes.hpp"

namespace xorloom {
namespace fs = std::filesystem;

KeptKind kind_of_kept(const Protection& protection, const fs::path& base,
                      const std::set<fs::path>& whole, std::size_t file, const fs::path& kept) {
  const std::vector<ProtectedFile>& files = protection.manifest.files;
  struct stat status {};
  if (::lstat(kept.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return KeptKind::kOtherTime;
  bool is_what_was = false;  // has the content of a file that is not whole now
  for (std::size_t other = 0; other < files.size() && status.st_size != 0; ++other) {
    if (files[other].bytes != static_cast<std::uint64_t>(status.st_size)) continue;
    if (!has_content_of(protection, other, kept)) continue;
    const fs::path path = base / files[other].name;
    if (whole.contains(path) && has_content_of(protection, other, path)) return KeptKind::kSpare;
    is_what_was = true;
  }
  // Damage leaves a file's time, and an edit does not. A file may have been moved over this one.
  const auto is_damage_of = [&](std::size_t other) {
    const fs::path path = base / files[other].name;
    return other != file && is_same_time(time_of(files[other]), time_of(status)) &&
           whole.contains(path) && may_be_damage_of(path, kept);
  };
  for (std::size_t other = 0; other < files.size() && !is_what_was; ++other) {
    if (is_damage_of(other)) return KeptKind::kSpare;
  }
  if (!is_same_time(time_of(files[file]), time_of(status))) return KeptKind::kOtherTime;
  if (is_what_was) return KeptKind::kOnlyCopy;
  // Until NAME is restored there is nothing to compare with: its time alone decides.
  const fs::path name = base / files[file].name;
  const bool is_damage = status.st_size == 0 || kept == name || may_be_damage_of(name, kept);
  return is_damage ? KeptKind::kSpare : KeptKind::kOnlyCopy;
}

}  // namespace xorloom
