#pragma once

#include <algorithm>
#include <filesystem>
#include <map>

#include "runtime/files/directory_lock.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/list_files.hpp"

namespace xorloom {

/// Directories that are locked against other programs, by their paths.
class LockedDirectories {
 public:
  /// Locks a directory, unless it is locked under this or another path. Errors: throws what
  /// DirectoryLock throws.
  void lock(const std::filesystem::path& directory) {
    if (contains(directory)) return;
    const auto identity = file_identity(directory);
    const bool is_locked = identity && std::ranges::any_of(locks_, [&](const auto& held) {
                             return file_identity(held.first) == identity;
                           });
    if (!is_locked) locks_.try_emplace(directory, directory);
  }

  bool contains(const std::filesystem::path& directory) const { return locks_.contains(directory); }

  /// Unlocks a directory and those below it.
  void unlock_below(const std::filesystem::path& directory) {
    std::erase_if(locks_, [&](const auto& lock) {
      return lock.first == directory || is_below(lock.first.string(), directory.string());
    });
  }

  /// Unlocks all. This removes lock files in the directories.
  void unlock_all() { locks_.clear(); }

 private:
  std::map<std::filesystem::path, DirectoryLock> locks_;
};

}  // namespace xorloom
