#include "runtime/protection/silent_damage.hpp"

#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/protection/elsewhere.hpp"
#include "runtime/protection/files_now.hpp"
#include "runtime/protection/missing_files.hpp"
#include "runtime/protection/protection.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// The protections at `paths` that are not damaged beyond use.
///
/// Errors: throws IoError if the system does not let one be read, unless damage is accepted.
std::vector<Protection> old_protections(const std::vector<fs::path>& paths,
                                        const ComparisonRequest& request,
                                        std::vector<std::string>& unreadable) {
  const auto unless_damaged = [&](const auto& act) {
    try {
      act();
    } catch (const Error& error) {
      const bool is_refused = dynamic_cast<const IoError*>(&error) != nullptr;
      if (error.kind() == Status::kUnsupported || (is_refused && !request.accept_damage)) throw;
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
    unless_damaged([&] { found.push_back(open_protection(each.second, request.bounds)); });
  }
  return found;
}

}  // namespace

OldProtection compare_with_old(const std::vector<fs::path>& outputs, const ListedFiles& listed,
                               const fs::path& base, const ComparisonRequest& request,
                               Progress& progress) {
  OldProtection found;
  std::set<std::string> left;
  for (const Protection& old : old_protections(outputs, request, found.unreadable)) {
    FilesNow now =
        find_files_now(old, listed, base,
                       request.accept_damage ? FilesRead::kAmbiguous : FilesRead::kAll, progress);
    const MovedOut out = find_moved_out(old, listed, base, now);
    if (!request.accept_missing) {
      refuse_unread(old.manifest.files, listed, now.gone);
      refuse_unread(old.manifest.files, listed, now.replaced);
      std::vector<std::string> gone;
      for (const std::size_t file : now.gone) gone.push_back(old.manifest.files[file].name);
      const std::string places = out.places_text(gone);
      refuse_missing(old.manifest.files, std::move(gone), {}, old.manifest.scope, base,
                     outputs.front(), places);
    }
    const auto with_place = [&](std::size_t file) {
      return out.with_place(old.manifest.files[file].name);
    };
    for (const std::size_t gone : now.gone) left.insert(with_place(gone));
    for (const std::size_t gone : now.replaced) left.insert("what was " + with_place(gone));
    if (!request.accept_missing && !request.accept_damage) {
      for (const auto& [name, there] : out.damaged) {
        const fs::path path = fs::path(there).lexically_relative(base);
        found.damaged.emplace(path.empty() ? there : path.string(), name);
      }
    }
    if (request.accept_damage) continue;
    found.damaged.merge(names_of_damaged(old, listed, now));
    const std::vector<LeftOut> aside = files_set_aside(listed, now);
    found.set_aside.insert(found.set_aside.end(), aside.begin(), aside.end());
  }
  found.left.assign(left.begin(), left.end());
  return found;
}

}  // namespace xorloom
