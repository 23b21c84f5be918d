#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <vector>

#include "runtime/protection/files_now.hpp"
#include "runtime/protection/stream_reader.hpp"

namespace xorloom {

/// Lost and strange files of one time. Damage leaves a file's time, so each strange file may be
/// what is left of a lost one.
struct LostAndStrange {
  std::vector<std::size_t> lost;     ///< before: no file has their content
  std::vector<std::size_t> strange;  ///< now: none of the protected files
};

/// Finds the strange files that are damaged lost ones, and adds them to `found`.
///
/// Damage leaves a file's time. A strange file is taken for a lost one of its time, damaged, if
/// - both have the same size, and the strange file has a segment of the lost one in its place,
/// - it has a whole block of the lost one in its place, or half of its bytes are such segments,
/// - it is the beginning of the lost one, as far as checksums can tell, or
/// - nothing agrees, and the strange file has the name of the lost one; or its size, and a time
///   known to the nanosecond or half zeros; or is all zeros, and no longer; or is too short for any
///   checksum, with such a time.
/// If a strange file may be several lost ones, it is taken for one of them, and the others are
/// held. If several strange files are like one lost file, one of them is damaged, and the others
/// are set aside. If the file of its name has nothing of any lost file, that is the damaged one, if
/// it has the size, or if the time is known to the nanosecond.
///
/// Shape:  `before` are the files of `old`, with times that may be cut: see with_times_cut_as().
///         `own` maps files now to the protected file of the same name and time; a directory of
///         the name may have moved.
///         `unread` gets strange files that cannot be read: `found` holds only if there are none.
/// Cost:   reads each strange file for each lost one, up to a bound.
void match_damaged(const Protection& old, const std::vector<ProtectedFile>& before,
                   const std::vector<ProtectedFile>& now, const std::filesystem::path& base,
                   const LostAndStrange& files, const std::map<std::size_t, std::size_t>& own,
                   FilesNow& found, UnreadFiles& unread);

}  // namespace xorloom
