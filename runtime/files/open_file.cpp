#include "runtime/files/open_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"

namespace xorloom {

std::optional<FileIdentity> file_identity(const std::filesystem::path& path) noexcept {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

bool is_unchanged(const struct stat& before, const struct stat& after) noexcept {
  const auto is_same = [](const timespec& a, const timespec& b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
  };
  return before.st_size == after.st_size && is_same(before.st_mtim, after.st_mtim) &&
         is_same(before.st_ctim, after.st_ctim);
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.parent_path().empty() ? "." : path.parent_path();
}

bool is_same_directory(const std::filesystem::path& a, const std::filesystem::path& b) noexcept {
  const auto identity = file_identity(a);
  return identity && identity == file_identity(b);
}

std::vector<std::filesystem::path> each_once(std::span<const std::filesystem::path> directories) {
  std::vector<std::filesystem::path> once;
  for (const std::filesystem::path& directory : directories) {
    const bool is_known = std::ranges::any_of(
        once, [&](const auto& known) { return is_same_directory(known, directory); });
    if (!is_known) once.push_back(directory);
  }
  return once;
}

bool is_in(const std::filesystem::path& file, std::span<const std::filesystem::path> directories) {
  return std::ranges::any_of(directories, [&](const std::filesystem::path& directory) {
    return is_same_directory(directory_of(file), directory);
  });
}

OpenFile::OpenFile(const std::filesystem::path& path) noexcept
    : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  struct stat status {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
    error_ = errno;
  } else if (S_ISREG(status.st_mode)) {
    bytes_ = static_cast<std::uint64_t>(status.st_size);
    identity_ = {status.st_dev, status.st_ino};
    permissions_ = status.st_mode & 07777U;
    return;
  }
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      error_(other.error_),
      bytes_(other.bytes_),
      identity_(other.identity_),
      permissions_(other.permissions_) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  error_ = other.error_;
  bytes_ = other.bytes_;
  identity_ = other.identity_;
  permissions_ = other.permissions_;
  return *this;
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int OpenFile::read_at(std::uint64_t offset, std::span<std::uint8_t> bytes,
                      std::span<std::uint8_t> more) const noexcept {
  while (!bytes.empty() || !more.empty()) {
    const std::array<iovec, 2> parts{iovec{bytes.data(), bytes.size()},
                                     iovec{more.data(), more.size()}};
    const ssize_t got =
        ::preadv(descriptor_, parts.data(), parts.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return -1;
    const auto read = static_cast<std::size_t>(got);
    const std::size_t of_first = std::min(read, bytes.size());
    bytes = bytes.subspan(of_first);
    more = more.subspan(read - of_first);
    offset += read;
  }
  return 0;
}

void OpenFile::forget_cached() const noexcept {
  static_cast<void>(::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED));
}

OpenFile open_regular_file(const std::filesystem::path& path) {
  OpenFile file(path);
  if (file.is_open()) return file;
  if (file.error() != 0) fail_on_io("read", path, file.error());
  fail(Status::kIo, fmt::format("{} is not a regular file", path.string()));
}

}  // namespace xorloom
