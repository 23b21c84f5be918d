#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/protection/list_files.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/find_segments.hpp"

namespace xorloom {

/// Listed files and their directories by name, to put several lists together.
struct FilesByName {
  std::map<std::string, std::pair<ProtectedFile, struct stat>> files;
  std::map<std::string, ProtectedDirectory> directories;

  /// Adds what a list has, in place of what had its name.
  void add(const ListedFiles& listed);

  /// Makes these the files and directories of a list.
  void move_to(ListedFiles& listed) &&;
};

/// The files below protected directories, and the protected ones beside them, as an update would
/// list them. Nothing is opened, and what cannot be listed is passed over.
ListedFiles files_there(const Protection& protection, const std::filesystem::path& base);

/// The protected files that are in none of the protected directories, and that are there.
std::vector<std::filesystem::path> files_beside(const Manifest& manifest,
                                                const std::filesystem::path& base);

/// True if `source`, which has the content of a protected file, may be a copy that somebody keeps:
/// it is in a place that was only to be searched, or it has another time and is neither below a
/// protected directory nor under a protected name.
bool may_be_copy(const Protection& protection, const std::filesystem::path& base, std::size_t file,
                 const SourceFile& source);

/// The files of `found.there` that are not protected, by names from the base directory. Those that
/// protected ones moved to, or became by damage, are none of them.
std::vector<std::string> unprotected_files(const Protection& protection, const FoundSegments& found,
                                           const std::filesystem::path& base);

}  // namespace xorloom
