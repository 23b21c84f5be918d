#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/missing_files.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/protection/source_reader.hpp"

namespace xorloom {

/// The state of a protected file.
struct FileState {
  enum class Kind {
    kWhole,
    kDamaged,     ///< there is a file of its name, or one that it became, and not all is right
    kEdited,      ///< damaged, but with another time: damage leaves the time
    kReplaced,    ///< the content of another protected file has its name
    kMoved,       ///< no file has its name, and another has its content
    kMissing,     ///< no file has its name
    kUnreadable,  ///< the system refuses to read it; it may be whole
  };
  Kind kind = Kind::kMissing;
  std::uint32_t source = SegmentPlace::kLost;  ///< the file of its name, or the one it moved to
  std::size_t found = 0;                       ///< segments found, anywhere
  std::uint64_t bytes = 0;                     ///< size of the file of its name
  bool has_other_time = false;                 ///< the file of its name has another time
  /// By size and time, an update takes the file of its name for the same.
  bool looks_the_same = false;
  /// Path of the file that damage made of this one, if that has another name. This file is kDamaged
  /// then, and the protected file of that other name is kReplaced.
  std::filesystem::path became{};
  /// If kReplaced: the protected file that has its name now.
  std::optional<std::size_t> replaced_by{};
  /// It is missing with all files of a directory, as if a disk were not mounted: see `away`.
  bool is_away = false;
  /// Path of what damage left of it elsewhere, outside of what is protected, so that an update
  /// keeps it protected; empty: nothing.
  std::filesystem::path left_out{};
  /// errno, if the file of its name could not be opened or read; ENOLINK if the protection follows
  /// links, and one in the file's path leads nowhere; 0: no error.
  int error = 0;
};

/// True if the user changed a file: then its old content is no loss, even if it is beyond repair.
inline bool is_changed_on_purpose(FileState::Kind kind) {
  return kind == FileState::Kind::kEdited || kind == FileState::Kind::kReplaced;
}

struct FoundSegments {
  std::vector<SourceFile> sources;
  std::vector<SegmentPlace> places;  ///< by segment
  std::vector<FileState> files;
  ListedFiles there;  ///< see files_there(); set by find_segments() alone
  /// New files that an update does not take in: name from the base, and why. See files_set_aside().
  std::map<std::string, std::string> set_aside;
  std::set<std::filesystem::path> unsearched;  ///< directories that could not be searched
  /// Directories all of whose files are missing, or outside of what is protected, as if a disk were
  /// not mounted: see note_away().
  std::vector<MissingDirectory> away;
  std::optional<std::filesystem::path> others;  ///< see place_of_others()
  std::uint64_t bytes_read = 0;

  bool is_all_found() const { return std::ranges::all_of(places, &SegmentPlace::is_found); }
};

/// Looks for what is protected: each file under its name, and if anything is not there, in files
/// that lie in the same directories, and in others. What is still not found may lie in a directory
/// that was renamed or moved, so all below the directories at the top is searched. Files of the
/// length of those that are missing, damaged or edited are compared with them anywhere below the
/// base, and count as given.
///
/// First each segment is looked for in its place. Then files of the right length are compared with
/// missing ones, since they may have another name. Then a rolling sum goes through every other file
/// byte by byte, so that inserted or deleted bytes cost only the blocks that they are in.
///
/// Shape:  `others` are files, and directories with all that is below them. `threads` as for
///         run_pipeline().
/// Cost:   reads each whole file once, on all threads, at the speed of the checksum; others byte by
///         byte.
FoundSegments find_segments(const Protection& protection, const std::filesystem::path& base,
                            const std::vector<std::filesystem::path>& others, std::size_t threads,
                            Progress& progress);

/// Looks for the segments of files that are not kept, in these files and in `others` only. Segments
/// of kept files count as found, and are not read. No segment counts as found because it equals one
/// of a kept file.
///
/// Shape: `is_kept` is by file.
FoundSegments find_in_changed(const Protection& protection, const std::filesystem::path& base,
                              const std::vector<bool>& is_kept,
                              const std::vector<std::filesystem::path>& others, std::size_t threads,
                              Progress& progress);

}  // namespace xorloom
