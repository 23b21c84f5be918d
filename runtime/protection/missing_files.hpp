#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "runtime/protection/list_files.hpp"
#include "runtime/protection/manifest.hpp"

namespace xorloom {

/// A directory that has none of its protected files left.
struct MissingDirectory {
  std::string name;           ///< from the base directory, which is "" itself
  std::size_t files = 0;      ///< that are missing
  std::size_t elsewhere = 0;  ///< under other names

  friend bool operator==(const MissingDirectory&, const MissingDirectory&) = default;
};

/// The directories that have none of their protected files left, if these were more than one, and
/// if more of them are missing than are elsewhere. Directories below others of these are not listed.
/// A directory in `named` counts even if it had a single file.
///
/// Precondition: `before` and `gone` ascend by name; `gone` are the names that were found nowhere.
///               `held` are those of them that stay protected: a directory of these alone is not
///               listed. `elsewhere` are names whose files have other names now.
std::vector<MissingDirectory> missing_directories(const std::vector<ProtectedFile>& before,
                                                  const std::vector<std::string>& gone,
                                                  const std::vector<std::string>& named,
                                                  const std::set<std::string>& held,
                                                  const std::set<std::string>& elsewhere);

/// "photos/x: all 3 files are missing, and so are those of one more directory". Precondition: there
/// is a directory.
std::string missing_text(const std::vector<MissingDirectory>& missing,
                         const std::filesystem::path& base);

/// True if a symbolic link in the path of a name leads to nothing, as if a disk were not mounted.
bool leads_nowhere(const std::filesystem::path& base, const std::string& name);

/// True if `directory` is within `base`, after links are resolved. False if that is not known.
bool is_within(const std::filesystem::path& directory, const std::filesystem::path& base);

/// True if a link takes the directory of any name out of the base directory.
///
/// Cost: looks at each directory once if names of one directory follow each other.
bool any_leads_out(const std::filesystem::path& base, const std::vector<std::string>& names);

/// The symbolic links in the place of files or of their directories: the outermost ones only,
/// ascending, from the base directory.
std::vector<std::string> linked_names(const std::vector<ProtectedFile>& files,
                                      const std::filesystem::path& base);

/// True if a regular file has the name, and is behind none of the links.
bool is_there(const std::filesystem::path& base, const std::string& name,
              const std::vector<std::string>& linked);

/// Throws kIo if something cannot be read and files would lose their protection: it may be one of
/// them. `given_up`: numbers of files in `before`.
void refuse_unread(const std::vector<ProtectedFile>& before, const ListedFiles& listed,
                   const std::vector<std::size_t>& given_up);

/// Throws kIo if there are missing directories, or links that lead nowhere: a folder that was
/// removed by mistake, or a disk that is not mounted, look like that. So does a directory that had
/// one file, if nothing is in it now. A file is not missing if it is there, but no longer wanted.
/// It is missing if it can be reached by a symbolic link only, or if a directory or a device is in
/// its place.
///
/// Shape: `gone` are names that are no longer protected, in any order; see missing_directories().
///        `held` are missing, too, and stay protected. `scope` is that of `before`. `places`, at
///        the end of the error, says where files are.
void refuse_missing(const std::vector<ProtectedFile>& before, std::vector<std::string> gone,
                    const std::set<std::string>& held, const ProtectionScope& scope,
                    const std::filesystem::path& base, const std::filesystem::path& protection,
                    const std::string& places = {});

}  // namespace xorloom
