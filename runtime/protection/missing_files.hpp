#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/protection/list_files.hpp"
#include "runtime/protection/manifest.hpp"

namespace xorloom {

/// A directory that has none of its protected files any more.
struct MissingDirectory {
  std::string name;  ///< from the base directory, which is "" itself
  std::size_t files = 0;

  friend bool operator==(const MissingDirectory&, const MissingDirectory&) = default;
};

/// The directories that lost all of their protected files, and more than one, without those below
/// others. A named directory counts if it had a single file, too.
///
/// Shape: `before` and `gone` ascend by name; `gone` are the names that were found nowhere.
std::vector<MissingDirectory> missing_directories(const std::vector<ProtectedFile>& before,
                                                  const std::vector<std::string>& gone,
                                                  const std::vector<std::string>& named);

/// True if a symbolic link in the path of a name leads to nothing, as if a disk were not mounted.
bool leads_nowhere(const std::filesystem::path& base, const std::string& name);

/// True if a directory is within another, whatever links there are. False if that is not known.
bool is_within(const std::filesystem::path& directory, const std::filesystem::path& base);

/// True if a link takes the directory of any of some files out of the base directory.
///
/// Cost: looks at the path of each directory once, if names of one directory follow each other.
bool any_leads_out(const std::filesystem::path& base, const std::vector<std::string>& names);

/// The symbolic links that stand where files or directories of files were: the outer ones alone,
/// ascending, from the base directory.
std::vector<std::string> linked_names(const std::vector<ProtectedFile>& files,
                                      const std::filesystem::path& base);

/// Throws kIo if something cannot be read and files would be protected no more: it may be one of
/// them. Shape: `given_up` are numbers of files of `before`.
void refuse_unread(const std::vector<ProtectedFile>& before, const ListedFiles& listed,
                   const std::vector<std::size_t>& given_up);

/// Throws kIo if there are such directories, or links that lead nowhere: a folder that somebody
/// removed by mistake, and a disk that is not mounted, look like that. Files that are there, but
/// not wanted any more, are not missing; those that are reached by a symbolic link alone are, and
/// those in whose place a directory or a device is.
///
/// Shape: `gone` are names that are no longer protected, in any order; see missing_directories().
/// `scope` is that of `before`.
void refuse_missing(const std::vector<ProtectedFile>& before, std::vector<std::string> gone,
                    const ProtectionScope& scope, const std::filesystem::path& base,
                    const std::filesystem::path& protection);

}  // namespace xorloom
