#pragma once

#include <filesystem>
#include <optional>

#include "runtime/files/pending_file.hpp"

namespace xorloom {

/// Locks a directory against every other program that writes shards into it, while this exists.
///
/// It is a lock of the system on the file ".xorloom.lock" in the directory, which is removed with
/// it. The lock ends with the program, however that ends; an empty file that stays then does no
/// harm.
class DirectoryLock {
 public:
  /// Errors: throws kIo if another program holds the directory, or no lock can be had there.
  explicit DirectoryLock(const std::filesystem::path& directory);
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  ~DirectoryLock();

 private:
  /// Takes the lock; false if its file has been removed or made meanwhile. Throws what the
  /// constructor throws.
  bool take(const std::filesystem::path& directory);

  std::filesystem::path path_;
  std::optional<PendingName> pending_;  ///< set once the file is ours to remove
  int descriptor_ = -1;
};

}  // namespace xorloom
