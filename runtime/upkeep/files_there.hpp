#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
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

/// The protected files that are in none of the protected directories, or have names that are
/// excluded, and that exist.
std::vector<std::filesystem::path> files_beside(const Manifest& manifest,
                                                const std::filesystem::path& base);

/// True if `source`, which has the content of a protected file, may be a copy that the user keeps:
/// it is in a place that was only to be searched, or it has another time and is neither below a
/// protected directory nor under a protected name.
bool may_be_copy(const Protection& protection, const std::filesystem::path& base, std::size_t file,
                 const SourceFile& source);

/// Sets which files have other times than before, decided as in an update.
void set_other_times(const ComparableFiles& times, std::vector<FileState>& files);

/// True if a file is not whole in its place, be it damaged or edited, and some of it was not found.
bool is_partly_lost(const FileMap& map, const FoundSegments& found, std::size_t file);

/// Notes the directories that an update refuses to give up, as if a disk were not mounted, and the
/// missing files in them. Precondition: it is known what was found.
void note_away(const Protection& protection, const std::filesystem::path& base,
               FoundSegments& found);

/// Where other files have the names of protected ones, as on another disk with the same names: the
/// base directory, or in it a place that may have a disk of its own. A place is a named directory,
/// what a link leads to, or a file system. None if there is no such place.
///
/// It is one if at least three files that are larger than a block were protected there, other files
/// have the names of some, and none of them is what it was, or may be: at least half of its blocks
/// are found, or the file of its name has its time, and its size unless the time is known to the
/// nanosecond. Copies in places that were only to be searched do not count, as that disk may have
/// some. Nor does a name that the content of another protected file has.
std::optional<std::filesystem::path> place_of_others(const Protection& protection,
                                                     const FoundSegments& found,
                                                     const std::filesystem::path& base);

/// What is to be said then, without the way out.
std::string others_text(const std::filesystem::path& place);

/// The way out, as a phrase. Shape: `is_known` is true if the place was named, or is a part of the
/// base directory.
std::string right_disk_text(bool is_known);

/// Names, from the base directory, of the files in `found.there` that are not protected. Files that
/// protected ones moved to, or became by damage, are not among them.
std::vector<std::string> unprotected_files(const Protection& protection, const FoundSegments& found,
                                           const std::filesystem::path& base);

}  // namespace xorloom
