#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/protection.hpp"

namespace xorloom {

/// Protected files and what they are now, judged by content, too. "before" and "now" say whose
/// numbers are meant.
struct FilesNow {
  std::map<std::size_t, std::size_t> same;     ///< before -> now, under whatever name
  std::map<std::size_t, std::size_t> damaged;  ///< now -> before
  /// Before: files without a file of their name now, of which a damaged file may be what is left.
  std::set<std::size_t> held;
  /// Now -> now: files that are like another one. If that is damaged, the file may be a copy of the
  /// damage, and nothing is known of it. If that is whole, the file is what damage made of it, or
  /// of a copy. It is new, or has the name of an old file, which stays protected then.
  std::map<std::size_t, std::size_t> set_aside;
  /// Now: damaged files that may be any of several old files, which cannot all be held under their
  /// names.
  std::set<std::size_t> unclear;
  std::vector<std::size_t> gone;      ///< before: neither their content nor their name is there
  std::vector<std::size_t> replaced;  ///< before: their name has the content of another old file
  std::uint64_t bytes_read = 0;
};

/// The files that are read to find out what they are.
enum class FilesRead {
  kAmbiguous,  ///< those whose size and time several have, if a name changed in their directories
  kAll,        ///< all that have the size and time of a protected file
};

/// Finds out what protected files are now.
///
/// A file with its old name, size and time is the same file, unless another one could be it: files
/// with equal sizes and times may have exchanged their names. Then contents decide. They also
/// decide for files with the size and time of a file that is gone.
///
/// A file that is none of the old ones may be damaged if it has the time of one that is gone: see
/// match_damaged(). A new file, or one that has not the time of before, is a damaged copy of one
/// that is there if it has the time of that, and at least half of its bytes are equal in the same
/// places, or zeros. If the time is known to the second alone, it must also have the same size, and
/// the same directory or a name that repair gives to what it keeps.
///
/// Shape:  `listed` has the files that are to be protected, by names from `base`.
/// Errors: throws UnreadFile, with all of them, if files that may have been renamed cannot be read.
///         Others that cannot be read count as the same.
FilesNow find_files_now(const Protection& old, const ListedFiles& listed,
                        const std::filesystem::path& base, FilesRead read, Progress& progress);

/// Like the function above, for a caller that has comparable lists of both.
FilesNow find_files_now(const Protection& old, const ListedFiles& listed,
                        const ComparableFiles& files, const std::filesystem::path& base,
                        FilesRead read, Progress& progress);

/// The files that are set aside, and for each why it is not protected.
std::vector<LeftOut> files_set_aside(const ListedFiles& listed, const FilesNow& now);

/// Maps the names of damaged files to those under which they were protected.
std::map<std::string, std::string> names_of_damaged(const Protection& old,
                                                    const ListedFiles& listed, const FilesNow& now);

}  // namespace xorloom
