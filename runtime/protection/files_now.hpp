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

/// What protected files are now. Numbers are those of files, before and now.
struct FilesNow {
  std::map<std::size_t, std::size_t> same;     ///< before, and now, under whatever name
  std::map<std::size_t, std::size_t> damaged;  ///< now, and before
  /// Before: of no file's name now, and a damaged file may be what is left of it.
  std::set<std::size_t> held;
  /// Now: like another one, now. If that is damaged, this may be a copy of the damage, and nothing
  /// is known of it. If that is whole, this is what damage made of it, or of a copy.
  std::map<std::size_t, std::size_t> set_aside;
  /// Now: damaged, and one of several old files, which cannot all be held under their names.
  std::set<std::size_t> unclear;
  std::vector<std::size_t> gone;      ///< before: neither the content nor the name is there
  std::vector<std::size_t> replaced;  ///< before: under the name is what another file was
  std::uint64_t bytes_read = 0;
};

/// Which files are read to find out what they are.
enum class FilesRead {
  kAmbiguous,  ///< those with the size and time of several, if a name changed in their directories
  kAll,        ///< all that have the size and time of a protected file
};

/// Finds the files that protected ones are now.
///
/// A file with the name, the size and the time of before is the same, unless another one could be
/// it: files that have one size and one time may have changed their names for each other's. Then
/// their contents decide. So they do for files with the size and the time of one that is gone.
///
/// A file that is none of those of before may be damaged if it has the time of one that is gone:
/// see match_damaged(). A new file with the time of one that is there is a damaged copy of that if
/// at least half of its bytes are the same in the same places, or zeros. If the time is known to
/// the second alone, it also has to have the same size, and the same directory or a name that
/// repair gives to what it keeps.
///
/// Shape:  `listed` has the files that are to be protected, by names from `base`.
/// Errors: throws UnreadFile if a file that may have been renamed cannot be read. Others that
/// cannot
///         be read count as the same.
FilesNow find_files_now(const Protection& old, const ListedFiles& listed,
                        const std::filesystem::path& base, FilesRead read, Progress& progress);

/// The same, by a caller that has the files of `old` and of `listed` comparable.
FilesNow find_files_now(const Protection& old, const ListedFiles& listed,
                        const ComparableFiles& files, const std::filesystem::path& base,
                        FilesRead read, Progress& progress);

/// The files that are set aside, and why nothing takes them in.
std::vector<LeftOut> files_set_aside(const ListedFiles& listed, const FilesNow& now);

/// The names of damaged files, and those under which they were protected.
std::map<std::string, std::string> names_of_damaged(const Protection& old,
                                                    const ListedFiles& listed, const FilesNow& now);

}  // namespace xorloom
