#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>

namespace xorloom {

/// A file that appears under its name complete, or not at all.
///
/// It is written under a hidden name in the same directory, synced to disk, and renamed. What stood
/// under the name before stays until then. A pending file that is never committed is removed. A name
/// that is a symbolic link is replaced, not what it points at.
class PendingFile {
 public:
  /// Errors: throws kInvalidArgument if the path names no file or a directory, or no file can be made beside it.
  explicit PendingFile(std::filesystem::path destination);
  PendingFile(PendingFile&& other) noexcept;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  PendingFile& operator=(PendingFile&&) = delete;
  ~PendingFile();

  /// Errors: throws kIo.
  void write(std::span<const std::uint8_t> bytes);

  /// Syncs what was written and closes the file. Errors: throws kIo.
  void finish();

  /// Gives the file its name; finish comes first. Errors: throws kIo.
  void commit();

  const std::filesystem::path& destination() const { return destination_; }

 private:
  std::filesystem::path destination_;
  std::filesystem::path temporary_;  ///< empty once committed
  int descriptor_ = -1;
};

/// A hidden name beside a path that no other file of any process uses.
std::filesystem::path hidden_name_beside(const std::filesystem::path& path);

/// Writes all bytes to a descriptor. Errors: throws kIo, naming the path.
void write_to(int descriptor, std::span<const std::uint8_t> bytes,
              const std::filesystem::path& path);

/// Makes the renames in a directory last through a loss of power, as far as its file system can.
void sync_directory(const std::filesystem::path& directory) noexcept;

/// Removes every pending file of the process and lets no other begin: for a program that is about to
/// be ended by a signal. It must not be called from a signal handler.
void abandon_pending_files() noexcept;

/// Makes abandon_pending_files wait while it is held: for renames that belong together.
std::unique_lock<std::recursive_mutex> hold_off_abandoning();

}  // namespace xorloom
