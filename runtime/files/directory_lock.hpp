#pragma once

#include <filesystem>
#include <optional>

#include "runtime/files/pending_file.hpp"

namespace xorloom {

/// Holds a directory against every other program that writes shards into it, until it goes.
///
/// The lock is one of the system's on the file ".xorloom.lock" in the directory, which is removed
/// with it. It ends with the program however that ends; an empty file that stays then is in
/// nobody's way.
class DirectoryLock {
 public:
  /// Errors: throws kIo if another program holds the directory, or no lock can be had there.
  explicit DirectoryLock(const std::filesystem::path& directory);
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;
  ~DirectoryLock();

 private:
  /// Takes the lock; false if its file has gone or come meanwhile. Throws what the constructor
  /// does.
  bool take(const std::filesystem::path& directory);

  std::filesystem::path path_;
  std::optional<PendingName> pending_;  ///< once it is ours to remove
  int descriptor_ = -1;
};

}  // namespace xorloom
