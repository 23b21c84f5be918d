#include "runtime/files/directory_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/nameless_file.hpp"

namespace xorloom {
namespace {

/// Tries for a lock: another program has to take and leave it between any two of them.
constexpr int kMostTries = 100;

[[noreturn]] void fail_on_held(const std::filesystem::path& directory) {
  fail(Status::kIo, fmt::format("another program is writing in {}", directory.string()));
}

/// Closes a descriptor unless it is kept.
class Closing {
 public:
  explicit Closing(int descriptor) : descriptor_(descriptor) {}
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;
  ~Closing() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int descriptor() const { return descriptor_; }
  int keep() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

/// Opens a lock file: for writing, as NFS needs it for a lock, or for reading if another user has
/// left it behind.
int open_lock(const std::filesystem::path& path, int flags) {
  flags |= O_CLOEXEC | O_NOFOLLOW;
  const int descriptor = ::open(path.c_str(), flags | O_RDWR, 0666);
  if (descriptor >= 0 || errno != EACCES) return descriptor;
  return ::open(path.c_str(), flags | O_RDONLY, 0666);
}

/// True if `path` leads to the open file; false also if it leads nowhere. Throws kIo if that cannot
/// be told, since trying again might go on for ever.
bool is_same_file(int descriptor, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  if (::fstat(descriptor, &opened) != 0) {
    if (errno == ESTALE) return false;  // NFS says so of a file that is gone
    fail_on_io("lock", path, errno);
  }
  if (::lstat(path.c_str(), &named) != 0) {
    if (errno == ENOENT || errno == ESTALE) return false;
    fail_on_io("lock", path, errno);
  }
  return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory)
    : path_(directory / ".xorloom.lock") {
  for (int tries = 0; tries < kMostTries; ++tries) {
    // Held until the file is a pending name; a program that is to end does so between two tries.
    const auto uninterrupted = hold_off_abandoning();
    if (take(directory)) return;
  }
  fail_on_held(directory);
}

bool DirectoryLock::take(const std::filesystem::path& directory) {
  const auto lock = [&](int descriptor) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return;
    if (errno == EWOULDBLOCK) fail_on_held(directory);
    fail_on_io("lock", path_, errno);
  };
  int descriptor = open_lock(path_, 0);
  if (descriptor < 0 && errno == ENOENT) {
    // A file that is locked before it has its name leaves nothing behind if it cannot be locked.
    Closing nameless(open_nameless(directory, O_RDWR));
    if (nameless.descriptor() >= 0) {
      lock(nameless.descriptor());
      const int code = name_nameless(nameless.descriptor(), path_);
      if (code == EEXIST) return false;
      if (code == 0) {
        pending_.emplace(path_);
        descriptor_ = nameless.keep();
        return true;
      }
    }
    // A file that is made under its name stays if it cannot be locked: another program may hold it
    // by then, and a lock whose file has no name keeps nobody off.
    descriptor = open_lock(path_, O_CREAT);
  }
  if (descriptor < 0) fail_on_io("write in", directory, errno);
  Closing closing(descriptor);
  lock(descriptor);
  // The last holder may have removed the name since; a lock without the name keeps nobody off.
  if (!is_same_file(descriptor, path_)) return false;
  pending_.emplace(path_);
  descriptor_ = closing.keep();
  return true;
}

DirectoryLock::~DirectoryLock() {
  const auto uninterrupted = hold_off_abandoning();  // once unlinked the name may be another's
  ::unlink(path_.c_str());
  pending_.reset();
  ::close(descriptor_);
}

}  // namespace xorloom
