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
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/source_reader.hpp"

namespace xorloom {

/// How a protected file is.
struct FileState {
  enum class Kind {
    kWhole,
    kDamaged,     ///< there is a file of its name, or one that it became, and not all is right
    kEdited,      ///< the same, and it has another time: damage leaves the time
    kReplaced,    ///< what another protected file was has its name
    kMoved,       ///< there is none, and another file is what it was
    kMissing,     ///< there is none
    kUnreadable,  ///< the system does not let it be read, and it may be whole
  };
  Kind kind = Kind::kMissing;
  std::uint32_t source = SegmentPlace::kLost;  ///< the file of its name, or the one it moved to
  std::size_t found = 0;                       ///< segments, anywhere
  std::uint64_t bytes = 0;                     ///< of the file of its name
  bool has_other_time = false;                 ///< the file of its name has
  /// An update takes the file of its name for what it was, by its size and its time.
  bool looks_the_same = false;
  /// Where the file is that is what damage left of it, if that has another name. The file is
  /// kDamaged then, and what was under that name is kReplaced.
  std::filesystem::path became{};
  /// The protected file that has its name now; for kReplaced.
  std::optional<std::size_t> replaced_by{};
  /// errno, if the file of its name could not be opened or read; ENOLINK if the protection follows
  /// links, and one in the file's path leads nowhere.
  int error = 0;
};

/// True if somebody changed a file: what is beyond repair of it is not lost.
inline bool is_changed_on_purpose(FileState::Kind kind) {
  return kind == FileState::Kind::kEdited || kind == FileState::Kind::kReplaced;
}

struct FoundSegments {
  std::vector<SourceFile> sources;
  std::vector<SegmentPlace> places;  ///< by segment
  std::vector<FileState> files;
  ListedFiles there;  ///< see files_there(); of find_segments() alone
  /// New files that no update takes in, by names from the base, and why: see files_set_aside().
  std::map<std::string, std::string> set_aside;
  std::set<std::filesystem::path> unsearched;  ///< directories that could not be searched
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
/// Shape:  others are files, and directories with all that is below them.
///         Threads as run_pipeline() takes them.
/// Cost:   reads each file that is whole once, on all threads, at the speed of the checksum; others
///         byte by byte.
FoundSegments find_segments(const Protection& protection, const std::filesystem::path& base,
                            const std::vector<std::filesystem::path>& others, std::size_t threads,
                            Progress& progress);

/// Looks for the segments of the files that are not kept, in these files and in some others alone.
/// Those of kept files count as found, and are not read. Nothing is found because it is equal to
/// what kept files have.
///
/// Shape: is_kept is by file.
FoundSegments find_in_changed(const Protection& protection, const std::filesystem::path& base,
                              const std::vector<bool>& is_kept,
                              const std::vector<std::filesystem::path>& others, std::size_t threads,
                              Progress& progress);

}  // namespace xorloom
