#include "runtime/protection/silent_damage.hpp"

#include <map>
#include <set>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/files_now.hpp"
#include "runtime/protection/missing_files.hpp"
#include "runtime/protection/protection.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// The protections that some of their parts are of, as far as they can be read.
std::vector<Protection> old_protections(const std::vector<fs::path>& paths,
                                        const ReadingBounds& bounds,
                                        std::vector<std::string>& unreadable) {
  const auto unless_damaged = [&](const auto& act) {
    try {
      act();
    } catch (const Error& error) {
      if (error.kind() == Status::kUnsupported) throw;
      unreadable.emplace_back(error.what());
    }
  };
  std::map<std::string, std::vector<fs::path>> by_id;
  for (const fs::path& path : paths) {
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    unless_damaged([&] { by_id[to_string(open_part(path).header.id)].push_back(path); });
  }
  std::vector<Protection> found;
  for (const auto& each : by_id) {
    unless_damaged([&] { found.push_back(open_protection(each.second, bounds)); });
  }
  return found;
}

/// The old files that are gone, but those of which a new one has the size and the time: these may
/// have been renamed.
std::vector<std::string> names_of_missing(const std::vector<ProtectedFile>& before,
                                          const std::vector<ProtectedFile>& now,
                                          const FileChanges& changes) {
  std::set<SizeAndTime> added;
  for (const std::size_t file : changes.added) added.insert(size_and_time(now[file]));
  std::vector<std::string> missing;
  for (const std::size_t gone : changes.gone) {
    if (!added.contains(size_and_time(before[gone]))) missing.push_back(before[gone].name);
  }
  return missing;
}

}  // namespace

OldProtection compare_with_old(const std::vector<fs::path>& outputs, const ListedFiles& listed,
                               const fs::path& base, const ComparisonRequest& request,
                               Progress& progress) {
  const std::vector<ProtectedFile>& files = listed.files;
  OldProtection found;
  std::set<std::pair<std::string, std::string>> damaged;
  std::set<std::string> left;
  for (const Protection& old : old_protections(outputs, request.bounds, found.unreadable)) {
    if (!request.accept_missing) {
      const FileChanges changes = compare_files(old.manifest.files, files);
      refuse_missing(old.manifest.files, names_of_missing(old.manifest.files, files, changes),
                     old.manifest.scope, base, outputs.front());
    }
    const FilesNow now =
        find_files_now(old, listed, base,
                       request.accept_damage ? FilesRead::kAmbiguous : FilesRead::kAll, progress);
    for (const std::size_t gone : now.gone) left.insert(old.manifest.files[gone].name);
    for (const std::size_t gone : now.replaced) {
      left.insert("what was " + old.manifest.files[gone].name);
    }
    if (request.accept_damage) continue;
    for (const auto& [file, before] : now.damaged) {
      damaged.emplace(files[file].name, old.manifest.files[before].name);
    }
    for (const std::size_t file : now.unclear) damaged.emplace(files[file].name, files[file].name);
  }
  found.damaged.assign(damaged.begin(), damaged.end());
  found.left.assign(left.begin(), left.end());
  return found;
}

}  // namespace xorloom
