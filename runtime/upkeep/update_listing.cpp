#include "runtime/upkeep/update_listing.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
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
  std::map<std::string, const ProtectedFile*> files;
  for (const ProtectedFile& file : old.files) {
    const auto has_it = [&](const std::string& name) {
      return file.name == name || is_below(file.name, name);
    };
    if (std::ranges::any_of(listed.unread, has_it)) files[file.name] = &file;
  }
  if (files.empty()) return false;
  listed.permissions &= permissions_within(0600);  // others cannot read all of them either
  put_back(listed, old, files);
  return true;
}

}  // namespace

void check_named(const Protection& old, const std::vector<fs::path>& outputs, bool accept_missing) {
  const std::size_t made = old.parts.front().header.parts;
  for (const PlaceOfPart& place : old.places) {
    if (accept_missing || !is_vacant(place.path)) continue;
    fail(Status::kIo,
         fmt::format("{} is missing or empty, as if a disk were not mounted; nothing was changed; "
                     "if it is lost, repair writes it anew, and so does option accept_missing here",
                     place.path.string()));
  }
  if (outputs.size() == made && old.parts.size() + old.places.size() == made) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} of the {} protection files of this protection can be used or written anew: "
                   "name all of them as outputs, or protect with option replace",
                   old.parts.size() + old.places.size(), made));
}

std::vector<fs::path> paths_of(const Protection& old) {
  std::vector<fs::path> paths(old.parts.front().header.parts);
  for (const ProtectionPart& part : old.parts) paths[part.header.part] = part.path;
  for (const PlaceOfPart& place : old.places) paths[place.header.part] = place.path;
  return paths;
}

void refuse_others(const fs::path& place, bool is_known) {
  fail(Status::kIo, fmt::format("{}; nothing was changed; {}; option accept_missing gives them up, "
                                "and takes these in",
                                others_text(place), right_disk_text(is_known)));
}

void hold_missing(const Protection& old, const ListedFiles& listed, const UpdateRequest& request,
                  bool are_needed, MovedOut& out, FilesNow& now) {
  if (request.accept_missing) {
    out.damaged.clear();
    return;
  }
  const bool holds_all = are_needed || !listed.unread.empty();
  if (holds_all) refuse_unread(old.manifest.files, listed, now.replaced);
  for (const std::size_t gone : now.gone) {
    if (holds_all || out.damaged.contains(old.manifest.files[gone].name)) now.held.insert(gone);
  }
  if (!request.accept_damage) return;
  // A damaged file under the name of another one would be protected as it is, in that place.
  std::set<std::string> held;
  for (const std::size_t file : now.held) held.insert(old.manifest.files[file].name);
  std::erase_if(out.damaged, [&](const auto& each) { return !held.contains(each.first); });
}

void refuse_to_give_up(const UpdateRequest& request, const Protection& old,
                       const std::vector<std::string>& gone, const std::vector<std::string>& held,
                       const MovedOut& out, const fs::path& base) {
  if (request.accept_missing) return;
  ProtectionScope before = old.manifest.scope;
  before.follows_links |= request.follows_links;
  std::vector<std::string> names = gone;
  names.insert(names.end(), held.begin(), held.end());
  refuse_missing(old.manifest.files, gone, {held.begin(), held.end()}, before, base,
                 paths_of(old).front(), out.places_text(names));
}

void put_back(ListedFiles& listed, const Manifest& old,
              const std::map<std::string, const ProtectedFile*>& files) {
  if (files.empty()) return;
  FilesByName all;
  all.add(listed);
  for (const auto& [name, file] : files) {
    listed.permissions &= permissions_within(file->permissions);
    auto& put = all.files[name];
    put = {*file, {}};
    put.first.name = name;
    put.first.pieces.clear();
  }
  for (const ProtectedDirectory& directory : old.directories) {
    const auto has_file = files.lower_bound(directory.name + "/");
    if (has_file != files.end() && is_below(has_file->first, directory.name)) {
      all.directories.try_emplace(directory.name, directory);
    }
  }
  std::move(all).move_to(listed);
}

void hold_back(const Protection& old, const fs::path& base, const MovedOut& out,
               ListedFiles& listed, FilesNow& now) {
  if (now.held.empty() && now.set_aside.empty() && out.damaged.empty()) return;
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
  std::map<std::string, const ProtectedFile*> put;
  for (const auto& [was, path] : out.damaged) {
    const auto file = static_cast<std::size_t>(
        std::ranges::lower_bound(before, was, {}, &ProtectedFile::name) - before.begin());
    if (!there.insert(file).second) continue;
    damaged.emplace_back(fs::path(path).lexically_relative(base).string(), file);
    put[damaged.back().first] = &before[file];
  }
  leave_out(listed, left_out);
  for (const auto& [name, file] : same) {
    if (aside.contains(name) || now.held.contains(file)) put[name] = &before[file];
  }
  put_back(listed, old.manifest, put);
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

}  // namespace xorloom
