#include "runtime/pending_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "codes/error.hpp"

namespace xorloom {
namespace {

std::recursive_mutex pending_mutex;
std::set<std::filesystem::path> pending;

[[noreturn]] void fail_on(Status kind, const char* what, const std::filesystem::path& path,
                          int code) {
  fail(kind, fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(code)));
}

}  // namespace

std::filesystem::path hidden_name_beside(const std::filesystem::path& path) {
  static std::atomic<unsigned> next = 0;
  const std::string name = fmt::format(".{}.xorloom-{}-{}", path.filename().string().substr(0, 200),
                                       ::getpid(), next.fetch_add(1));
  return path.parent_path() / name;
}

PendingFile::PendingFile(std::filesystem::path destination) : destination_(std::move(destination)) {
  if (!destination_.has_filename()) {
    fail(Status::kInvalidArgument, fmt::format("'{}' does not name a file", destination_.string()));
  }
  struct stat before {};
  const bool exists = ::stat(destination_.c_str(), &before) == 0;
  if (exists && S_ISDIR(before.st_mode)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is a directory, not a file", destination_.string()));
  }
  const std::filesystem::path temporary = hidden_name_beside(destination_);
  const std::lock_guard lock(pending_mutex);
  descriptor_ = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail_on(Status::kInvalidArgument, "write", destination_, errno);
  if (exists) static_cast<void>(::fchmod(descriptor_, before.st_mode & 07777));
  temporary_ = temporary;
  pending.insert(temporary_);
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : destination_(std::move(other.destination_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

PendingFile::~PendingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (temporary_.empty()) return;
  const std::lock_guard lock(pending_mutex);
  ::unlink(temporary_.c_str());
  pending.erase(temporary_);
}

void PendingFile::write(std::span<const std::uint8_t> bytes) {
  write_to(descriptor_, bytes, destination_);
}

void PendingFile::finish() {
  const int synced = ::fsync(descriptor_);
  const int error = errno;
  // Some file systems cannot sync; they say so with EINVAL or ENOTSUP.
  if (synced != 0 && error != EINVAL && error != ENOTSUP) {
    fail_on(Status::kIo, "write", destination_, error);
  }
  if (::close(std::exchange(descriptor_, -1)) != 0)
    fail_on(Status::kIo, "write", destination_, errno);
}

void PendingFile::commit() {
  const std::lock_guard lock(pending_mutex);
  if (::rename(temporary_.c_str(), destination_.c_str()) != 0) {
    fail_on(Status::kIo, "write", destination_, errno);
  }
  pending.erase(temporary_);
  temporary_.clear();
}

void write_to(int descriptor, std::span<const std::uint8_t> bytes,
              const std::filesystem::path& path) {
  constexpr std::size_t kMost = std::size_t{1}
                                << 30;  // the kernel takes no more than 2 GiB at once
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), kMost));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_on(Status::kIo, "write", path, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void sync_directory(const std::filesystem::path& directory) noexcept {
  const int descriptor = ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(::fsync(descriptor));
  ::close(descriptor);
}

void abandon_pending_files() noexcept {
  pending_mutex.lock();  // and never unlocked
  for (const std::filesystem::path& path : pending) ::unlink(path.c_str());
}

std::unique_lock<std::recursive_mutex> hold_off_abandoning() {
  return std::unique_lock(pending_mutex);
}

}  // namespace xorloom
