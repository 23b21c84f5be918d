#include "runtime/directory_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "codes/error.hpp"
#include "runtime/file_error.hpp"

namespace xorloom {
namespace {

bool is_same_file(int descriptor, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory)
    : path_(directory / ".xorloom.lock") {
  const auto uninterrupted = hold_off_abandoning();  // until the file is known to be pending
  for (;;) {
    constexpr int kFlags = O_CREAT | O_CLOEXEC | O_NOFOLLOW;
    descriptor_ = ::open(path_.c_str(), kFlags | O_RDWR, 0666);  // as NFS wants it for a lock
    if (descriptor_ < 0 && errno == EACCES) {
      descriptor_ = ::open(path_.c_str(), kFlags | O_RDONLY, 0666);  // left behind by another user
    }
    if (descriptor_ < 0) fail_to_open("write in", directory, errno);
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const int code = errno;
      ::close(descriptor_);
      if (code != EWOULDBLOCK) fail_on_io("lock", path_, code);
      fail(Status::kIo, fmt::format("another program is writing shards in {}", directory.string()));
    }
    // Whoever held it may have removed the name since it was opened; that lock holds nobody off.
    if (is_same_file(descriptor_, path_)) break;
    ::close(descriptor_);
  }
  pending_.emplace(path_);
}

DirectoryLock::~DirectoryLock() {
  const auto uninterrupted = hold_off_abandoning();  // once unlinked the name may be another's
  ::unlink(path_.c_str());
  pending_.reset();
  ::close(descriptor_);
}

}  // namespace xorloom
