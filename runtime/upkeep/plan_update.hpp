#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/elsewhere.hpp"
#include "runtime/protection/files_now.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/protection.hpp"

namespace xorloom {

/// Changes of protected files, by their names.
struct UpdatedFiles {
  std::vector<std::string> before;  ///< all files that were protected, ascending
  std::vector<std::string> added;
  std::vector<std::string> edited;
  std::vector<std::pair<std::string, std::string>> renamed;  ///< before, now
  std::vector<std::string> gone;
  std::vector<std::string> replaced;  ///< their content is gone: another file has the name now
  std::vector<std::string> damaged;   ///< other bytes, but the old time
  std::map<std::string, std::string> damaged_was;  ///< name in `damaged` -> name before
  /// Missing files that stay protected under their names: a damaged file may be what is left of
  /// them, or damaged files need them.
  std::vector<std::string> held;
  MovedOut moved_out;  ///< of all that were protected
  /// If files are damaged: names before of files that repair cannot restore now.
  std::set<std::string> lost;
  /// Names before of damaged files that can be restored once those in `held` are back.
  std::set<std::string> waiting;
  std::size_t same = 0;  ///< files that keep their names and contents

  bool is_none() const {
    return added.empty() && edited.empty() && renamed.empty() && gone.empty() && replaced.empty() &&
           damaged.empty();
  }

  /// Those of `held` that are damaged outside of what is protected, and where.
  std::map<std::string, std::string> held_out() const;
};

/// Plan of an update. Old bytes that files still have keep their places in the stream. New bytes go
/// behind the end of the stream, where zeros were, so that the redundancy changes only by their
/// redundancy. Bytes that no file has any more are given up: the redundancy still has them, so they
/// need not be read.
struct UpdatePlan {
  Manifest manifest;              ///< its spec and the sums of new segments are still to be set
  std::vector<bool> is_new;       ///< by segment
  std::vector<std::size_t> read;  ///< listed files that are not the same by size and time
  UpdatedFiles files;
  /// All damaged files keep the protection that they had, so that they can still be repaired.
  bool keeps_damaged = false;
  std::optional<std::filesystem::path> others;  ///< see place_of_others()
  std::uint64_t bytes_read = 0;
};

/// Compares files with what was protected, and plans an update. If `keeps_damaged`, files with
/// other bytes but the old time keep their old protection, even under a new name. This is
/// impossible if some are unclear: see FilesNow.
///
/// Shape:  `listed` has the files that are to be protected, by names from `base`, and `now` says
///         what they are. Files that are held are listed as they were, and as the same.
/// Errors: throws kIo if a file that changed cannot be read.
/// Cost:   reads files that changed and new ones, byte by byte if old bytes are missing.
UpdatePlan plan_update(const Protection& old, const ListedFiles& listed, const FilesNow& now,
                       ProtectionScope scope, const std::filesystem::path& base, bool keeps_damaged,
                       std::size_t threads, Progress& progress);

}  // namespace xorloom
