#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <vector>

#include "runtime/protection/files_now.hpp"

namespace xorloom {

/// Protected files whose content no file has, and files of the same time that are none of the
/// protected ones. Damage leaves a file's time, so each of the latter may be one of the former.
struct LostAndStrange {
  std::vector<std::size_t> lost;     ///< before
  std::vector<std::size_t> strange;  ///< now
};

/// Finds out which files are damaged ones, and adds them to `found`.
///
/// A file is what a lost one became by damage if it has its size and something of it in its place; if
/// it has a whole block of it in its place; if half of it is the same in the same places; or if it is
/// its beginning, as far as checksums can tell. If nothing is the same, it is that one still if it
/// has its name; or if it has its size, and a time that is known to the nanosecond, or is half zeros;
/// or if it is all zeros, and no longer. A file that is too short for any checksum may be the beginning
/// of a lost one if its time is known to the nanosecond. Of several that the file may be, one counts
/// as damaged, and the others are held. Of several files that are like one that is lost, one counts
/// as damaged, and the others are set aside.
///
/// Shape:  `own` has, by file now, the protected file of its name and its time.
/// Errors: throws UnreadFile if a strange file cannot be read.
/// Cost:   reads each strange file for each lost one, up to a bound.
void match_damaged(const Protection& old, const std::vector<ProtectedFile>& now,
                   const std::filesystem::path& base, const LostAndStrange& files,
                   const std::map<std::size_t, std::size_t>& own, FilesNow& found);

}  // namespace xorloom
