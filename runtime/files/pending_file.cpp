#include "runtime/files/pending_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/remove_tree.hpp"

namespace xorloom {
namespace {

/// The kernel takes no more than 2 GiB at once.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;

std::recursive_mutex pending_mutex;
std::set<std::filesystem::path> pending;        // a directory comes before what is in it
std::set<std::filesystem::path> pending_trees;  // trees that are removed with their content

/// Some file systems cannot sync; they say so.
bool cannot_sync(int code) { return code == EINVAL || code == ENOTSUP; }

}  // namespace

std::string hidden_name_begin(const std::filesystem::path& path, std::string_view suffix) {
  return fmt::format(".{}{}", path.filename().string().substr(0, 200), suffix);
}

std::filesystem::path hidden_name_beside(const std::filesystem::path& path,
                                         std::string_view suffix) {
  std::random_device random;
  const std::string begin = hidden_name_begin(path, suffix);
  return path.parent_path() / fmt::format("{}{:08x}{:08x}", begin, random(), random());
}

std::optional<mode_t> permissions_of_file(const std::filesystem::path& path) {
  if (!path.has_filename()) {
    fail(Status::kInvalidArgument,
         fmt::format("'{}' does not name a file", excerpt(path.string())));
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (S_ISDIR(status.st_mode)) {
    fail(Status::kInvalidArgument, fmt::format("{} is a directory, not a file", path.string()));
  }
  return status.st_mode & 07777;
}

int set_permissions_and_time(const std::filesystem::path& path, std::uint32_t permissions,
                             std::int64_t seconds, std::uint32_t nanoseconds) noexcept {
  const timespec modified{static_cast<std::time_t>(seconds), static_cast<long>(nanoseconds)};
  // Some file systems set both times or none.
  const std::array<timespec, 2> times{timespec{0, UTIME_NOW}, modified};
  const int code = ::chmod(path.c_str(), permissions) == 0 ? 0 : errno;
  if (::utimensat(AT_FDCWD, path.c_str(), times.data(), 0) == 0) return code;
  return code != 0 ? code : errno;
}

int rename_to_free_name(const std::filesystem::path& from,
                        const std::filesystem::path& to) noexcept {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (::link(from.c_str(), to.c_str()) == 0) {
    if (::unlink(from.c_str()) == 0) return 0;
    const int code = errno;
    ::unlink(to.c_str());  // so the file keeps its old name
    return code;
  }
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) return errno;
  struct stat taken {};
  if (::lstat(to.c_str(), &taken) == 0) return EEXIST;
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

std::filesystem::path follow_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // the kernel's limit
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(path, error); ++links) {
    if (links == kMostLinks) fail_on_io("follow", path, ELOOP);
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) fail_on_io("follow", path, error.value());
    path = path.parent_path() / target;
  }
  return path;
}

PendingFile::PendingFile(std::filesystem::path destination, const std::string& hidden_as,
                         mode_t most)
    : destination_(std::move(destination)) {
  const std::optional<mode_t> permissions = permissions_of_file(destination_);
  const std::lock_guard lock(pending_mutex);
  while (descriptor_ < 0) {
    temporary_ = hidden_name_beside(hidden_as.empty() ? destination_
                                                      : destination_.parent_path() / hidden_as);
    const auto entry = pending.insert(temporary_).first;
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666U & most);
    if (descriptor_ >= 0) break;
    const int code = errno;
    pending.erase(entry);
    if (code != EEXIST) fail_on_io("write", destination_, code);
  }
  if (permissions) static_cast<void>(::fchmod(descriptor_, *permissions & most));
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : destination_(std::move(other.destination_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_temporary_(std::exchange(other.is_temporary_, false)) {}

PendingFile::~PendingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_.empty()) return;  // moved from
  const std::lock_guard lock(pending_mutex);
  if (is_temporary_) ::unlink(temporary_.c_str());
  pending.erase(temporary_);
}

void PendingFile::write(std::span<const std::uint8_t> bytes) {
  write_to(descriptor_, bytes, destination_);
}

void PendingFile::write_at(std::uint64_t offset, std::span<const std::uint8_t> bytes,
                           std::span<const std::uint8_t> more) {
  write_to_at(descriptor_, offset, bytes, more, destination_);
}

void PendingFile::set_bytes(std::uint64_t bytes) {
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) {
    fail_on_io("write", destination_, errno);
  }
}

void PendingFile::begin_sync(std::uint64_t offset, std::uint64_t bytes) const noexcept {
  static_cast<void>(::sync_file_range(descriptor_, static_cast<off_t>(offset),
                                      static_cast<off_t>(bytes), SYNC_FILE_RANGE_WRITE));
}

void PendingFile::finish() {
  if (const int code = sync_file(descriptor_); code != 0) fail_on_io("write", destination_, code);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_on_io("write", destination_, errno);
}

void PendingFile::commit(Existing existing) {
  const std::lock_guard lock(pending_mutex);
  int code = 0;
  if (existing == Existing::kRefuse) {
    code = rename_to_free_name(temporary_, destination_);
  } else if (::rename(temporary_.c_str(), destination_.c_str()) != 0) {
    code = errno;
  }
  if (code == EEXIST && existing == Existing::kRefuse) {
    fail(Status::kIo,
         fmt::format("cannot write {}: another file of that name has appeared in the meantime",
                     destination_.string()));
  }
  if (code != 0) fail_on_io("write", destination_, code);
  is_temporary_ = false;
}

bool PendingFile::withdraw() noexcept {
  const std::lock_guard lock(pending_mutex);
  if (rename_to_free_name(destination_, temporary_) != 0) return false;
  is_temporary_ = true;
  return true;
}

void PendingFile::leave() noexcept {
  const std::lock_guard lock(pending_mutex);
  pending.erase(temporary_);
  is_temporary_ = false;
}

PendingName::PendingName(std::filesystem::path name, Abandoned abandoned) : name_(std::move(name)) {
  const std::lock_guard lock(pending_mutex);
  pending.insert(name_);
  if (abandoned == Abandoned::kWithContent) pending_trees.insert(name_);
}

PendingName::~PendingName() {
  const std::lock_guard lock(pending_mutex);
  pending.erase(name_);
  pending_trees.erase(name_);
}

PendingDirectory::PendingDirectory(std::filesystem::path path) : path_(std::move(path)) {
  const std::lock_guard lock(pending_mutex);
  const auto [entry, inserted] = pending.insert(path_);
  std::error_code error;
  made_ = std::filesystem::create_directory(path_, error);
  if (made_) return;
  if (inserted) pending.erase(entry);
  if (!error && std::filesystem::is_directory(path_)) return;
  if (error && error != std::errc::file_exists) {
    fail_on_io("make the directory", path_, error.value());
  }
  fail(Status::kIo,
       fmt::format("cannot make the directory {}: it is not a directory", path_.string()));
}

void PendingDirectory::sync() const {
  if (!made_) return;
  if (const int code = sync_directory(path_ / ".."); code != 0) fail_on_io("write", path_, code);
}

void PendingDirectory::keep() noexcept {
  if (!made_) return;
  const std::lock_guard lock(pending_mutex);
  pending.erase(path_);
  made_ = false;
}

PendingDirectory::~PendingDirectory() {
  if (!made_) return;
  const std::lock_guard lock(pending_mutex);
  ::rmdir(path_.c_str());
  pending.erase(path_);
}

void write_to(int descriptor, std::span<const std::uint8_t> bytes,
              const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_on_io("write", path, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void write_to_at(int descriptor, std::uint64_t offset, std::span<const std::uint8_t> bytes,
                 std::span<const std::uint8_t> more, const std::filesystem::path& path) {
  while (!bytes.empty() || !more.empty()) {
    // The kernel only reads from them, although iovec is not const.
    const std::array<iovec, 2> parts{iovec{const_cast<std::uint8_t*>(bytes.data()), bytes.size()},
                                     iovec{const_cast<std::uint8_t*>(more.data()), more.size()}};
    const ssize_t got =
        ::pwritev(descriptor, parts.data(), parts.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_on_io("write", path, errno);
    const auto written = static_cast<std::size_t>(got);
    const std::size_t of_first = std::min(written, bytes.size());
    bytes = bytes.subspan(of_first);
    more = more.subspan(written - of_first);
    offset += written;
  }
}

int sync_directory(const std::filesystem::path& directory) noexcept {
  return sync_file(directory.empty() ? "." : directory);
}

int sync_file(int descriptor) noexcept {
  return ::fsync(descriptor) == 0 || cannot_sync(errno) ? 0 : errno;
}

int sync_file(const std::filesystem::path& path) noexcept {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES ? 0 : errno;  // it may be writable, but not readable
  const int code = sync_file(descriptor);
  ::close(descriptor);
  return code;
}

void sync_directories(const std::set<std::filesystem::path>& directories) {
  for (const std::filesystem::path& directory : directories) {
    if (const int code = sync_directory(directory); code != 0) fail_on_io("write", directory, code);
  }
}

void abandon_pending_files() noexcept {
  pending_mutex.lock();  // and never unlocked
  for (auto path = pending.rbegin(); path != pending.rend(); ++path) {
    if (pending_trees.count(*path) != 0) {
      remove_tree(*path);
    } else {
      std::remove(path->c_str());
    }
  }
}

std::unique_lock<std::recursive_mutex> hold_off_abandoning() {
  return std::unique_lock(pending_mutex);
}

}  // namespace xorloom
