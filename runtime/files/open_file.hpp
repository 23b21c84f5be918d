#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace xorloom {

/// Identity of a file, whatever its names.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  auto operator<=>(const FileIdentity&) const = default;
};

/// Identity of the file that a path leads to; nullopt if there is none.
std::optional<FileIdentity> file_identity(const std::filesystem::path& path) noexcept;

/// True if `before` and `after` have equal size, time of modification and time of change.
bool is_unchanged(const struct stat& before, const struct stat& after) noexcept;

/// The directory a path is in, "." if it names none.
std::filesystem::path directory_of(const std::filesystem::path& path);

/// True if two paths lead to the same directory.
bool is_same_directory(const std::filesystem::path& a, const std::filesystem::path& b) noexcept;

/// The directories that the paths lead to, each once, under its first path.
std::vector<std::filesystem::path> each_once(std::span<const std::filesystem::path> directories);

/// True if `file` is directly in one of `directories`.
bool is_in(const std::filesystem::path& file, std::span<const std::filesystem::path> directories);

/// A regular file opened for reading at any offset, by many threads at once.
class OpenFile {
 public:
  OpenFile() = default;

  /// Opens a file. If that fails, is_open() is false, and error() is errno, or 0 if it is no
  /// regular file. Never waits, as opening a pipe might.
  explicit OpenFile(const std::filesystem::path& path) noexcept;
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&& other) noexcept;
  ~OpenFile();

  bool is_open() const { return descriptor_ >= 0; }
  int error() const { return error_; }
  std::uint64_t bytes() const { return bytes_; }  ///< at opening
  const FileIdentity& identity() const { return identity_; }
  mode_t permissions() const { return permissions_; }  ///< at opening, as chmod takes them

  /// Fills two spans one after the other from `offset` on. Returns 0, errno, or -1 if the file ends
  /// before.
  int read_at(std::uint64_t offset, std::span<std::uint8_t> bytes,
              std::span<std::uint8_t> more = {}) const noexcept;

  /// Asks the system to drop the file from its page cache, so that the next reading is from the
  /// disk.
  void forget_cached() const noexcept;

 private:
  int descriptor_ = -1;
  int error_ = 0;
  std::uint64_t bytes_ = 0;
  FileIdentity identity_;
  mode_t permissions_ = 0;
};

/// Opens a regular file.
///
/// Errors: throws kIo, also if it is no regular file.
OpenFile open_regular_file(const std::filesystem::path& path);

}  // namespace xorloom
