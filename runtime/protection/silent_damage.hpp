#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/manifest.hpp"
#include "runtime/shards/reading_bounds.hpp"

namespace xorloom {

/// Findings of existing protection files about files that are to be protected anew.
struct OldProtection {
  /// Files with their old time but other bytes: their names now, and those under which they are
  /// protected. Some may be outside of what is listed: see find_moved_out().
  std::map<std::string, std::string> damaged;
  /// New files that damage made of copies of protected ones: see FilesNow::set_aside.
  std::vector<LeftOut> set_aside;
  std::vector<std::string>
      left;  ///< files that were protected, and are not listed now, and where they are
  std::vector<std::string> unreadable;  ///< why protection files tell nothing, a sentence each
};

/// Refusals that are waived, and the bounds for reading.
struct ComparisonRequest {
  bool accept_damage = false;   ///< read no files
  bool accept_missing = false;  ///< do not look for directories whose files are all missing
  ReadingBounds bounds{};
};

/// Compares files with the checksums in protection files that are to be replaced.
///
/// An edit changes a file's time, and damage does not. So a file with its old name and time must
/// have its old size and checksums, or those of another protected file: see find_files_now().
///
/// Shape:  names are relative to `base`, before and now.
/// Errors: throws kUnsupported if a list of files exceeds a bound; IoError if a protection file
///         cannot be read, unless damage is accepted; see refuse_missing().
/// Cost:   reads the files that have not been edited once.
OldProtection compare_with_old(const std::vector<std::filesystem::path>& outputs,
                               const ListedFiles& listed, const std::filesystem::path& base,
                               const ComparisonRequest& request, Progress& progress);

}  // namespace xorloom
