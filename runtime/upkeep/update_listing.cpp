#include "runtime/upkeep/update_listing.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/directory_listing.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/protection/compare_file.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/missing_files.hpp"
#include "runtime/upkeep/files_there.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// The paths to be listed: the directories of the scope, protected files beside them that exist,
/// and what is to be protected, too.
std::vector<fs::path> paths_wanted(const UpdateRequest& request, const Manifest& old,
                                   const fs::path& base) {
  std::vector<fs::path> paths;
  for (const std::string& directory : old.scope.directories) {
    const fs::path path = base / directory;
    std::error_code error;
    if (fs::is_directory(path, error)) {
      paths.push_back(path);
    } else if (!request.accept_missing) {
      fail(Status::kIo,
           fmt::format("{} is no directory any more, as if a disk were not mounted; nothing was "
                       "changed; option base says where it is; if it was renamed, name it as it is "
                       "now, with option accept_missing, which gives up the old name",
                       path.string()));
    }
  }
  const std::vector<fs::path> beside = files_beside(old, base);
  paths.insert(paths.end(), beside.begin(), beside.end());
  paths.insert(paths.end(), request.paths.begin(), request.paths.end());
  return paths;
}

/// Allows files to be left out, except unchanged protected ones: these stay protected without being
/// read.
MayBeLeftOut may_be_left_out(const UpdateRequest& request, const Manifest& old,
                             const fs::path& base) {
  if (!request.keeps_going) return {};
  return [&old, base](const std::string& name) {
    const auto file = std::ranges::lower_bound(old.files, name, {}, &ProtectedFile::name);
    struct stat now {};
    if (file == old.files.end() || file->name != name) return true;
    return ::lstat((base / name).c_str(), &now) != 0 ||
           static_cast<std::uint64_t>(now.st_size) != file->bytes ||
           !is_same_time(time_of(*file), time_of(now));
  };
}

/// Lists protected files as they were if they, or directories above them, cannot be read. Returns
/// true if there are any.
bool keep_unread(ListedFiles& listed, const Manifest& old) {
  std::set<std::string> names;
  for (const ProtectedFile& file : old.files) {
    const auto has_it = [&](const std::string& name) {
      return file.name == name || is_below(file.name, name);
    };
    if (std::ranges::any_of(listed.unread, has_it)) names.insert(file.name);
  }
  if (names.empty()) return false;
  listed.permissions &= permissions_within(0600);  // others cannot read all of them either
  put_back(listed, old, names);
  return true;
}

/// Visits the regular files in a directory and below, on its file system.
template <typename Visit>
void visit_files(const fs::path& directory, const Visit& visit) {
  std::error_code error;
  const auto own = file_identity(directory);
  for (const std::string& name : names_in(directory, error)) {
    const fs::path path = directory / name;
    struct stat status {};
    if (is_unfinished_name(name) || ::lstat(path.c_str(), &status) != 0) continue;
    if (S_ISREG(status.st_mode)) {
      visit(path, status);
    } else if (S_ISDIR(status.st_mode) && own && own->device == status.st_dev) {
      visit_files(path, visit);
    }
  }
}

}  // namespace

void refuse_others(const fs::path& place, bool is_known) {
  fail(Status::kIo, fmt::format("{}; nothing was changed; {}; option accept_missing gives them up, "
                                "and takes these in",
                                others_text(place), right_disk_text(is_known)));
}

void hold_missing(const Protection& old, const ListedFiles& listed, const UpdateRequest& request,
                  const MovedOut& out, FilesNow& now) {
  if (request.accept_missing) return;
  const bool holds_all = !listed.unread.empty();
  if (holds_all) refuse_unread(old.manifest.files, listed, now.replaced);
  for (const std::size_t gone : now.gone) {
    const bool is_damaged = out.damaged.contains(old.manifest.files[gone].name);
    if (holds_all || (is_damaged && !request.accept_damage)) now.held.insert(gone);
  }
}

void put_back(ListedFiles& listed, const Manifest& old, const std::set<std::string>& names) {
  if (names.empty()) return;
  FilesByName all;
  all.add(listed);
  for (const ProtectedFile& file : old.files) {
    if (!names.contains(file.name)) continue;
    listed.permissions &= permissions_within(file.permissions);
    auto& put = all.files[file.name];
    put = {file, {}};
    put.first.pieces.clear();
  }
  for (const ProtectedDirectory& directory : old.directories) {
    const auto has_file = names.lower_bound(directory.name + "/");
    if (has_file != names.end() && is_below(*has_file, directory.name)) {
      all.directories.try_emplace(directory.name, directory);
    }
  }
  std::move(all).move_to(listed);
}

void hold_back(const Protection& old, ListedFiles& listed, FilesNow& now) {
  if (now.held.empty() && now.set_aside.empty()) return;
  using Named = std::vector<std::pair<std::string, std::size_t>>;  // names now, and old files
  const std::vector<ProtectedFile>& before = old.manifest.files;
  const auto name_of = [&](std::size_t file) { return listed.files[file].name; };
  Named same;
  Named damaged;
  std::set<std::size_t> there = now.held;
  for (const auto& each : now.same) {
    same.emplace_back(name_of(each.second), each.first);
    there.insert(each.first);
  }
  for (const auto& each : now.damaged) {
    damaged.emplace_back(name_of(each.first), each.second);
    there.insert(each.second);
  }
  for (const std::size_t file : now.held) same.emplace_back(before[file].name, file);
  const std::vector<LeftOut> left_out = files_set_aside(listed, now);
  std::set<std::string> aside;
  for (const LeftOut& each : left_out) {
    const std::string& name = each.name;
    aside.insert(name);
    const auto own = std::ranges::lower_bound(before, name, {}, &ProtectedFile::name);
    const auto file = static_cast<std::size_t>(own - before.begin());
    const bool is_own = own != before.end() && own->name == name;
    if (is_own && there.insert(file).second) same.emplace_back(name, file);
  }
  leave_out(listed, left_out);
  std::set<std::string> names;
  for (const auto& [name, file] : same) {
    if (aside.contains(name) || now.held.contains(file)) names.insert(name);
  }
  put_back(listed, old.manifest, names);
  const auto number_of = [&](const std::string& name) {
    const auto file = std::ranges::lower_bound(listed.files, name, {}, &ProtectedFile::name);
    return static_cast<std::size_t>(file - listed.files.begin());
  };
  now.same.clear();
  now.damaged.clear();
  now.set_aside.clear();
  for (const auto& [name, file] : same) now.same[file] = number_of(name);
  for (const auto& [name, file] : damaged) now.damaged[number_of(name)] = file;
}

ListedForUpdate list_for_update(const UpdateRequest& request, const Manifest& old,
                                const fs::path& base, const std::vector<fs::path>& paths,
                                const ProtectionScope& scope,
                                const std::map<std::string, int>& unread) {
  ListedForUpdate result;
  result.listed = list_files(
      paths_wanted(request, old, base), base, paths, scope, may_be_left_out(request, old, base),
      true, [&](const auto& name) { return protects(old, name); }, unread);
  result.keeps_unread = keep_unread(result.listed, old);
  return result;
}

void exclude_kept(const ListedFiles& listed, Manifest& manifest) {
  for (const std::string& kept : listed.kept) {
    if (protects(manifest, name_of_kept(kept))) continue;
    const std::string pattern = pattern_of(kept);
    if (is_pattern(pattern)) manifest.scope.excluded.push_back(pattern);
  }
}

MovedOut find_moved_out(const Protection& old, const std::vector<std::string>& gone,
                        const ListedFiles& listed, const fs::path& base) {
  std::multimap<std::uint64_t, std::size_t> wanted;  // files, by size
  const std::vector<ProtectedFile>& files = old.manifest.files;
  for (const std::string& name : gone) {
    const auto file = std::ranges::lower_bound(files, name, {}, &ProtectedFile::name);
    if (file != files.end() && file->bytes != 0) {
      wanted.emplace(file->bytes, static_cast<std::size_t>(file - files.begin()));
    }
  }
  MovedOut found;
  if (wanted.empty()) return found;
  visit_files(base, [&](const fs::path& path, const struct stat& status) {
    const auto [begin, end] = wanted.equal_range(static_cast<std::uint64_t>(status.st_size));
    if (begin == end) return;
    const std::string name = path.lexically_relative(base).string();
    if (std::ranges::binary_search(listed.files, name, {}, &ProtectedFile::name)) return;
    for (auto each = begin; each != end; ++each) {
      const ProtectedFile& file = files[each->second];
      if (file.name == name) continue;  // it is excluded now
      if (has_content_of(old, each->second, path)) {
        found.whole.emplace(file.name, path.string());
      } else if (is_same_time(time_of(file), time_of(status)) && name_of_kept(name).empty()) {
        std::uint64_t bytes_read = 0;
        const auto compared =
            compare_file(old, each->second, OpenFile(path), CompareUp::kToEnd, bytes_read);
        if (compared.has_block) found.damaged.emplace(file.name, path.string());
      }
    }
  });
  std::erase_if(found.damaged, [&](const auto& each) { return found.whole.contains(each.first); });
  return found;
}

}  // namespace xorloom
