#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/protection.hpp"

namespace xorloom {

/// What protected files are now. Numbers are those of files, before and now.
struct FilesNow {
  std::map<std::size_t, std::size_t> same;     ///< before, and now, under whatever name
  std::map<std::size_t, std::size_t> damaged;  ///< now, and before
  std::vector<std::size_t> unclear;   ///< now: damaged, and one of several files that are gone
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
/// A file that is none of those of its size and time is damaged if it has the name of one, or some
/// bytes of a gone one in their places, or if its time is known to the nanosecond and one is gone.
/// If the content of its name is whole elsewhere, it is damaged if it is like that, and new if not.
///
/// Shape:  `listed` has the files that are to be protected, by names from `base`.
/// Errors: throws UnreadFile if a file that may have been renamed cannot be read. Others that cannot
///         be read count as the same.
FilesNow find_files_now(const Protection& old, const ListedFiles& listed,
                        const std::filesystem::path& base, FilesRead read, Progress& progress);

/// True if a file may be what another one became by damage: at least half of it is the same in the
/// same places, or zeros. False if one cannot be read.
bool may_be_damage_of(const std::filesystem::path& whole, const std::filesystem::path& damaged);

/// True if a file is what a protected one was.
bool has_content_of(const Protection& protection, std::size_t file,
                    const std::filesystem::path& path);

}  // namespace xorloom
