#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace xorloom {

/// The most permissions of a new file, as chmod takes them; the umask still applies.
inline constexpr mode_t kAnyPermissions = 07777;

/// Permissions for a file with bytes of another that has `permissions`: its owner reads and writes
/// it, and others may do with it at most what they may do with the other file.
constexpr mode_t permissions_within(mode_t permissions) { return permissions | 0600U; }

/// Mask of what others may do with files in a directory with permissions `directory`: who may not
/// list and search it reads none of them.
constexpr mode_t permissions_in(mode_t directory) {
  return (directory & directory << 2U & 0444U) | (kAnyPermissions & ~mode_t{0444});
}

/// Whether existing files may be replaced.
enum class Existing { kRefuse, kReplace };

/// A file that appears under its name complete, or not at all.
///
/// It is written under a hidden name in the same directory, synced to disk, and renamed. An old
/// file of that name stays until then. A pending file that is never committed is removed. A name
/// that is a symbolic link is replaced, not what it points at.
class PendingFile {
 public:
  /// The hidden name is made from the destination's name, or from `hidden_as` if given. The file
  /// gets the permissions of the file that it replaces, or those of a new file, but none that
  /// `most` does not have.
  ///
  /// Errors: throws kInvalidArgument if the path names no file or a directory, kIo if no file can
  ///         be made beside it.
  explicit PendingFile(std::filesystem::path destination, const std::string& hidden_as = {},
                       mode_t most = kAnyPermissions);
  PendingFile(PendingFile&& other) noexcept;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  PendingFile& operator=(PendingFile&&) = delete;
  ~PendingFile();

  /// Appends bytes. Errors of this and write_at(): throw kIo.
  void write(std::span<const std::uint8_t> bytes);

  /// Writes two spans one behind the other at `offset`. Threads may write at different offsets at
  /// once.
  void write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes,
                std::span<const std::uint8_t> more = {});

  /// Makes the file `bytes` long; bytes that were not written are holes. Errors: throws kIo.
  void set_bytes(std::uint64_t bytes);

  /// Lets the system begin to write a range to the disk, without waiting for it.
  void begin_sync(std::uint64_t offset, std::uint64_t bytes) const noexcept;

  /// Syncs what was written and closes the file. Errors: throws kIo.
  void finish();

  /// Gives the file its name. Precondition: finish() was called.
  ///
  /// Errors: throws kIo, also if the name is taken and `existing` is kRefuse.
  void commit(Existing existing = Existing::kReplace);

  /// Takes the name away again after a commit that replaced nothing. False if that failed.
  bool withdraw() noexcept;

  /// Leaves the file under the name that it has now, also when this is destroyed.
  void leave() noexcept;

  const std::filesystem::path& destination() const { return destination_; }

  /// The hidden name, under which the file can be read back once it is finished.
  const std::filesystem::path& temporary() const { return temporary_; }

 private:
  std::filesystem::path destination_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
  bool is_temporary_ = true;  ///< has its hidden name, and is to be removed
};

/// A directory that is made if there is none, and then removed again unless kept or not empty.
class PendingDirectory {
 public:
  /// Errors: throws kIo if the directory cannot be made.
  explicit PendingDirectory(std::filesystem::path path);
  PendingDirectory(const PendingDirectory&) = delete;
  PendingDirectory& operator=(const PendingDirectory&) = delete;
  ~PendingDirectory();

  /// Syncs a directory that was made; to be called before anything in it is final. Errors: throws
  /// kIo.
  void sync() const;

  /// Leaves the directory where it is.
  void keep() noexcept;

 private:
  std::filesystem::path path_;
  bool made_ = false;
};

/// Whether abandoning removes a file or an empty directory alone, or a directory with its content.
enum class Abandoned { kAlone, kWithContent };

/// While this exists, abandon_pending_files() removes what has the name.
class PendingName {
 public:
  explicit PendingName(std::filesystem::path name, Abandoned abandoned = Abandoned::kAlone);
  PendingName(const PendingName&) = delete;
  PendingName& operator=(const PendingName&) = delete;
  ~PendingName();

  const std::filesystem::path& name() const { return name_; }

 private:
  std::filesystem::path name_;
};

/// Suffix of hidden names, before 16 random hexadecimal digits.
inline constexpr std::string_view kHiddenSuffix = ".xorloom-";

/// A random hidden name beside a path, ".NAME.xorloom-0123456789abcdef". It may be taken already:
/// use it in a way that replaces nothing.
std::filesystem::path hidden_name_beside(const std::filesystem::path& path,
                                         std::string_view suffix = kHiddenSuffix);

/// Beginning of the hidden names beside a path, up to their random digits.
std::string hidden_name_begin(const std::filesystem::path& path, std::string_view suffix);

/// The permissions of what a path leads to; nullopt if there is nothing.
///
/// Errors: throws kInvalidArgument if the path names no file, or a directory.
std::optional<mode_t> permissions_of_file(const std::filesystem::path& path);

/// Sets the permissions of a file, and the time of its last change in seconds and nanoseconds since
/// 1970. Tries both; returns 0 or errno.
int set_permissions_and_time(const std::filesystem::path& path, std::uint32_t permissions,
                             std::int64_t seconds, std::uint32_t nanoseconds) noexcept;

/// Renames a file unless the new name is taken. Returns 0 or errno, EEXIST if it is taken. If the
/// file system can neither rename so nor link, the name is looked up first, which is not atomic.
int rename_to_free_name(const std::filesystem::path& from,
                        const std::filesystem::path& to) noexcept;

/// The path at the end of a chain of symbolic links, whether or not anything is there.
///
/// Errors: throws kIo if the links go in a circle.
std::filesystem::path follow_links(std::filesystem::path path);

/// Writes all bytes to a descriptor. Errors: throws kIo, naming the path.
void write_to(int descriptor, std::span<const std::uint8_t> bytes,
              const std::filesystem::path& path);

/// Writes two spans one behind the other at an offset of a descriptor. Errors: throws kIo, naming
/// the path.
void write_to_at(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes,
                 std::span<const std::uint8_t> more, const std::filesystem::path& path);

/// Sync the content of a file, or the renames in a directory, so that they survive a loss of power,
/// as far as the file system can. Return 0 or errno.
int sync_file(const std::filesystem::path& path) noexcept;
int sync_file(int descriptor) noexcept;
int sync_directory(const std::filesystem::path& directory) noexcept;

/// Calls sync_directory for each. Errors: throws kIo.
void sync_directories(const std::set<std::filesystem::path>& directories);

/// Removes every pending file and directory of the process and lets no other begin: for a program
/// that is about to be ended by a signal. It must not be called from a signal handler.
void abandon_pending_files() noexcept;

/// Makes abandon_pending_files wait while the lock is held: for renames that belong together.
std::unique_lock<std::recursive_mutex> hold_off_abandoning();

}  // namespace xorloom
