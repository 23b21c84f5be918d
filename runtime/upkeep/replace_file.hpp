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

namespace xorloom {

/// Whether a name is to be left to something else.
using IsReserved = std::function<bool(const std::filesystem::path&)>;

/// Which file a name is, links not followed.
std::optional<FileIdentity> identity_of_name(const std::filesystem::path& path);

/// The name beside its own that what stood under a name has.
struct KeptFile {
  std::filesystem::path kept;
  std::optional<FileIdentity> identity;
};

/// Gives what stands under a name another one beside it, NAME.damaged or the like, that is free and
/// not reserved. The name stays, too, where the file system has links. None if nothing is there.
///
/// Errors: throws kIo.
std::optional<KeptFile> keep_beside(const std::filesystem::path& path,
                                    const IsReserved& is_reserved);

/// The name beside its own that keep_beside() would take.
std::filesystem::path free_kept_name(const std::filesystem::path& path,
                                     const IsReserved& is_reserved);

/// Gives a finished file its name, in place of what was kept. If something else stands there by
/// now, that is kept, too, and its new name is the answer.
///
/// Errors: throws kIo.
std::optional<std::filesystem::path> put_in_place(PendingFile& file,
                                                  const std::optional<KeptFile>& kept,
                                                  const IsReserved& is_reserved);

/// What keeps a file from being restored under its name from a base directory, as a phrase: a
/// directory that stands there, or in its path what is none. Empty if nothing does.
std::string in_the_way(const std::filesystem::path& base, const std::string& name);

/// True if the file system finds a file, whose name has small letters, by it in capital letters.
bool ignores_case(const std::filesystem::path& path);

/// Gives a file the permissions and the time that it had, and the owner of what stands under its
/// name, or else of the directory, as far as the system lets it. If what stands there allows less
/// by now, so does the file. What a symbolic link leads to stays as it is.
void set_info(const std::filesystem::path& path, const ProtectedFile& file,
              const std::filesystem::path& name);

/// Makes a directory and those above it that are not there, each of which allows no more than
/// `permissions` and the one above. `made` has them, the inner ones first. 0 or errno.
int create_directories(const std::filesystem::path& directory, mode_t permissions,
                       std::deque<std::filesystem::path>& made);

/// Gives a directory below a base the permissions and the time that it had, if they are known.
/// Where the file system has none, it stays as it is.
void set_directory_info(const std::filesystem::path& directory, const std::filesystem::path& base,
                        const std::vector<ProtectedDirectory>& known);

/// The directory of a path, or the first one above it that is there.
std::filesystem::path nearest_directory(const std::filesystem::path& path);

}  // namespace xorloom
