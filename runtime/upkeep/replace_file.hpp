#pragma once

#include <sys/types.h>

#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/protection/protected_files.hpp"
#include "runtime/protection/protection.hpp"

namespace xorloom {

/// True if a name is to be left to something else.
using IsReserved = std::function<bool(const std::filesystem::path&)>;

/// Identity of the file that has a name; links are not followed.
std::optional<FileIdentity> identity_of_name(const std::filesystem::path& path);

/// A file that was kept under another name beside its own.
struct KeptFile {
  std::filesystem::path kept;
  std::optional<FileIdentity> identity;
};

/// Keeps what is at `path` under another name beside it, NAME.damaged or the like, that is free and
/// not reserved. The old name stays, too, if the file system has links. nullopt if nothing is
/// there.
///
/// Errors: throws kIo.
std::optional<KeptFile> keep_beside(const std::filesystem::path& path,
                                    const IsReserved& is_reserved);

/// The name that keep_beside() would give.
std::filesystem::path free_kept_name(const std::filesystem::path& path,
                                     const IsReserved& is_reserved);

/// Gives a finished file its name, in place of what was kept. If something else is there by now,
/// that is kept, too, and its new name is returned.
///
/// Errors: throws kIo.
std::optional<std::filesystem::path> put_in_place(PendingFile& file,
                                                  const std::optional<KeptFile>& kept,
                                                  const IsReserved& is_reserved);

/// Says in a phrase what prevents restoring a file under its name: a directory with that name, or
/// something in its path that is no directory. Empty: nothing.
std::string in_the_way(const std::filesystem::path& base, const std::string& name);

/// True if the file system also finds a file by its name in capital letters. Precondition: the name
/// has small letters.
bool ignores_case(const std::filesystem::path& path);

/// Gives a file the permissions and the time that it had, and the owner of what is at `name`, or
/// else of its directory, as far as the system permits. If a file at `name` has fewer permissions
/// by now, so has this one. Does nothing to a symbolic link.
void set_info(const std::filesystem::path& path, const ProtectedFile& file,
              const std::filesystem::path& name);

/// Permissions of a new directory until all is in it, and for good if the protection does not know
/// others. Other users get what they have on the protection files: they may read these only if they
/// might read all protected directories.
mode_t permissions_of_new_directory(const Protection& protection);

/// Makes a directory and those above it that are missing. None gets more than `permissions` and
/// those of the one above, and each gets the owner of that, as far as the system permits. `made` gets the new ones, inner ones first. Returns 0 or errno.
int create_directories(const std::filesystem::path& directory, mode_t permissions,
                       std::deque<std::filesystem::path>& made);

/// Gives a directory below `base` the permissions and the time that it had, if `known` has them.
/// Failures are ignored.
void set_directory_info(const std::filesystem::path& directory, const std::filesystem::path& base,
                        const std::vector<ProtectedDirectory>& known);

/// The directory of a path, or the nearest one above it that exists.
std::filesystem::path nearest_directory(const std::filesystem::path& path);

}  // namespace xorloom
