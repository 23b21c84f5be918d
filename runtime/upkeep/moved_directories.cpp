#include "runtime/upkeep/moved_directories.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <system_error>

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// The places where a file is and where it was, without the common end of both paths: "a/new" and
/// "a/old" for "a/new/x/f" and "a/old/x/f"; "b/x" and "a/x" for "b/x/f" and "a/x/f" if "a" exists.
MovedDirectory without_common_end(fs::path from, fs::path to, const fs::path& base) {
  std::error_code error;
  while (to != base && from != base && to.filename() == from.filename() &&
         !fs::exists(fs::symlink_status(to.parent_path(), error))) {
    from = from.parent_path();
    to = to.parent_path();
  }
  return {std::move(from), std::move(to)};
}

bool has_protected_below(const Protection& protection, const fs::path& base,
                         const fs::path& directory) {
  const std::string begin = directory.lexically_relative(base).string() + '/';
  const std::vector<ProtectedFile>& files = protection.manifest.files;
  const auto first = std::ranges::lower_bound(files, begin, {}, &ProtectedFile::name);
  return first != files.end() && first->name.starts_with(begin);
}

}  // namespace

std::vector<MovedDirectory> moved_directories(
    const Protection& protection, const FoundSegments& found, const fs::path& base,
    const std::function<bool(std::size_t)>& may_be_moved) {
  std::map<fs::path, std::set<fs::path>> found_in;  // by old directory
  for (std::size_t file = 0; file < found.files.size(); ++file) {
    if (!may_be_moved(file)) continue;
    const MovedDirectory moved =
        without_common_end(found.sources[found.files[file].source].path,
                           base / protection.manifest.files[file].name, base);
    found_in[moved.to].insert(moved.from);
  }
  std::vector<MovedDirectory> directories;
  for (const auto& [to, all_from] : found_in) {
    const fs::path& from = *all_from.begin();
    std::error_code error;
    // A link to a directory is renamed itself.
    const bool is_one = all_from.size() == 1 && fs::is_directory(from, error) &&
                        !fs::exists(fs::symlink_status(to, error));
    if (is_one && !has_protected_below(protection, base, from)) directories.push_back({from, to});
  }
  return directories;
}

}  // namespace xorloom
