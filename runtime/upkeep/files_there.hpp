#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/find_segments.hpp"

namespace xorloom {

/// Listed files and their directories by name, to merge several lists.
struct FilesByName {
  std::map<std::string, std::pair<ProtectedFile, struct stat>> files;
  std::map<std::string, ProtectedDirectory> directories;

  /// Adds the entries of a list; they replace entries of the same names.
  void add(const ListedFiles& listed);

  /// Moves all entries into a list, in place of its own.
  void move_to(ListedFiles& listed) &&;
};

/// The files below protected directories, and protected files outside of these, as an update would
/// list them. Opens nothing, and passes over what cannot be listed.
ListedFiles files_there(const Protection& protection, const std::filesystem::path& base);

/// The protected files that are in none of the protected directories, and that exist.
std::vector<std::filesystem::path> files_beside(const Manifest& manifest,
                                                const std::filesystem::path& base);

/// True if `source`, which has the content of a protected file, may be a copy that the user keeps:
/// it is in a place that was only to be searched, or it has another time and is neither below a
/// protected directory nor under a protected name.
bool may_be_copy(const Protection& protection, const std::filesystem::path& base, std::size_t file,
                 const SourceFile& source);

/// Sets which files have other times than before, decided as in an update.
void set_other_times(const ComparableFiles& times, std::vector<FileState>& files);

/// True if a file is damaged in its place, has its old time, and some segment of it was not found.
bool is_partly_lost(const FileMap& map, const FoundSegments& found, std::size_t file);

/// True if at least three protected files had several blocks, none of their blocks and times was
/// found, and other files have the names of some: as on another disk with the same names. Smaller
/// files do not count, as many disks have equal ones. Copies in places that were only to be
/// searched do not count, as that disk may have some.
bool are_all_others(const Protection& protection, const FoundSegments& found);

/// The error text if are_all_others(), without advice.
std::string all_others_text(const std::filesystem::path& base);

/// Names, from the base directory, of the files in `found.there` that are not protected. Files that
/// protected ones moved to, or became by damage, are not among them.
std::vector<std::string> unprotected_files(const Protection& protection, const FoundSegments& found,
                                           const std::filesystem::path& base);

}  // namespace xorloom
