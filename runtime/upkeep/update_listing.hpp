#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/protection/elsewhere.hpp"
#include "runtime/protection/files_now.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/update_files.hpp"

namespace xorloom {

/// The files that an update protects.
struct ListedForUpdate {
  ListedFiles listed;
  bool keeps_unread = false;  ///< some files cannot be read, and stay protected as they were
};

/// Throws unless all parts are named, each once, and exist.
void check_named(const Protection& old, const std::vector<std::filesystem::path>& outputs,
                 bool accept_missing);

/// The paths of all parts, by number.
std::vector<std::filesystem::path> paths_of(const Protection& old);

/// Lists the files that an update protects.
///
/// Shape:  `paths` are the protection files. `unread` are files that can be opened, but not read:
///         see list_files().
/// Errors: throws what list_files() throws; kIo if a named directory is no directory any more.
ListedForUpdate list_for_update(const UpdateRequest& request, const Manifest& old,
                                const std::filesystem::path& base,
                                const std::vector<std::filesystem::path>& paths,
                                const ProtectionScope& scope,
                                const std::map<std::string, int>& unread);

/// Throws kIo, as other files have the names of those that are protected: see place_of_others().
/// Shape: `is_known` as of right_disk_text().
[[noreturn]] void refuse_others(const std::filesystem::path& place, bool is_known);

/// Holds missing files: all of them if something cannot be read, since it may be any of them, or if
/// damaged files can be restored with them alone (`are_needed`). Also holds files that are damaged
/// outside of what is protected, if their names are free. Leaves in `out` the damaged files that
/// stay protected.
void hold_missing(const Protection& old, const ListedFiles& listed, const UpdateRequest& request,
                  bool are_needed, MovedOut& out, FilesNow& now);

/// Throws what refuse_missing() throws, and says where files are, unless that is accepted.
///
/// Shape: `gone` are no longer protected. `held` are missing, too, and stay protected.
void refuse_to_give_up(const UpdateRequest& request, const Protection& old,
                       const std::vector<std::string>& gone, const std::vector<std::string>& held,
                       const MovedOut& out, const std::filesystem::path& base);

/// Lists protected files as they were, in place of what has these names now, if anything. `files`:
/// by the names that they get.
void put_back(ListedFiles& listed, const Manifest& old,
              const std::map<std::string, const ProtectedFile*>& files);

/// Lists files that are held as they were, and leaves out what is set aside. What was protected
/// under such a name stays protected. Damaged files outside of what is protected that are not held
/// are listed under the names that they have there. Afterwards the numbers in `now` are those of
/// the new list, and files that are held count as the same.
void hold_back(const Protection& old, const std::filesystem::path& base, const MovedOut& out,
               ListedFiles& listed, FilesNow& now);

/// Excludes from now on what repair kept beside files that are no longer protected: its name alone
/// would not say what it is.
void exclude_kept(const ListedFiles& listed, Manifest& manifest);

}  // namespace xorloom
