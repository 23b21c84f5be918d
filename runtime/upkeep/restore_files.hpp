#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/upkeep/protection_check.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Request to restore files.
struct RestoreRequest {
  std::filesystem::path base;     ///< directory that names are relative to
  std::filesystem::path to = {};  ///< directory for restored files; nothing else is changed then
  std::vector<bool> only = {};    ///< by file: restore it; empty: all
  /// Also remove NAME.damaged of files that are whole, if nothing is lost by that: see KeptKind.
  bool removes_kept = false;
  /// Also write in directories outside the base directory that links lead to.
  bool follows_links = false;
  bool is_trial = false;  ///< find out what would be done, and do nothing
  Options options = {};
};

/// Result of restoring protected files.
struct RestoredFiles {
  std::vector<std::filesystem::path> rebuilt;
  /// Files and directories that were moved back: their paths, and those where they were found.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> moved_back;
  /// Paths of rebuilt files, and the names that the files before have now.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> kept;
  std::vector<std::filesystem::path> lost;  ///< beyond repair: left as they are
  /// Files that were edited, and whose old content is beyond repair: left as they are. Nothing is
  /// lost by that.
  std::vector<std::filesystem::path> edited;
  /// Files whose names other protected files have now, and whose content is beyond repair: left as
  /// they are.
  std::vector<std::filesystem::path> replaced;
  /// With `to`: files that are there with the right content.
  std::vector<std::filesystem::path> already;
  /// Files that can be restored, or may be, once all of `unreadable` can be read: left as they are.
  std::vector<std::filesystem::path> blocked;
  /// Files that cannot be restored, and are missing with all files of a directory, as if a disk
  /// were not mounted.
  std::vector<std::filesystem::path> away;
  /// Files that cannot be read and may be whole: left as they are. A sentence each.
  std::vector<std::string> unreadable;
  std::size_t files = 0;  ///< rebuilt or moved back, with those in directories that were
  std::vector<std::string> failures;           ///< why files could not be restored, a sentence each
  std::string rewriting_failure;               ///< why a damaged protection is not rewritten; or ""
  std::size_t failures_behind_links = 0;       ///< of those, where links lead out of the base
  std::uint64_t bytes_without_room = 0;        ///< of those that a full disk has no room for
  std::vector<std::filesystem::path> removed;  ///< that repairs had kept
  /// NAME.damaged of another time than the protected file: it may be an edit, or no repair's. Links
  /// and devices are among them.
  std::vector<std::filesystem::path> not_removed;
  /// NAME.damaged that is not like NAME, and whose content no whole file has.
  std::vector<std::filesystem::path> only_copies;
  std::vector<std::string> unremoved;  ///< why other kept files stay, a sentence each
  std::vector<std::filesystem::path> rewritten_parts;  ///< protection files that were damaged
  std::uint64_t bytes_written = 0;

  /// True if all files are what they were.
  bool is_complete() const {
    return lost.empty() && edited.empty() && replaced.empty() && blocked.empty() && away.empty() &&
           unreadable.empty() && failures.empty();
  }
};

/// Restores every protected file that can be recovered, then the protection files that are damaged.
///
/// A rebuilt file appears under its name complete, with its old permissions and time; what was
/// there is kept beside it as NAME.damaged. A file that was only moved gets its name back, unless
/// it is where a link leads out of the base directory, or may be a copy: see may_be_copy(). So does
/// a directory whose files were all found in another one. A link is renamed itself, and a file that
/// was behind a link is rebuilt in the link's place. Files that are beyond repair stay as they are.
/// A failure for one file is noted, and the others are restored. If a disk has room for some files
/// only, the largest are not restored. If only some files are asked for, the protection files stay
/// as they are.
///
/// Errors: throws kIo if reading fails, or something else changes the files; kInternal if a block
///         is computed wrong. No file is worse than before.
/// Cost:   memory for one row of blocks at a time, and a plan for each set of lost chunks.
RestoredFiles restore_files(const Protection& protection, const ProtectionCheck& check,
                            const RestoreRequest& request, Progress& progress);

}  // namespace xorloom
