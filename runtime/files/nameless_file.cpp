#include "runtime/files/nameless_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

namespace xorloom {
namespace {

/// The path of a descriptor, by which a file can be linked without any privilege.
std::array<char, 40> path_of(int descriptor) noexcept {
  std::array<char, 40> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", descriptor);
  return path;
}

}  // namespace

int open_nameless(const std::filesystem::path& directory, int access, mode_t permissions) noexcept {
  const char* const path = directory.empty() ? "." : directory.c_str();
  const int descriptor = ::open(path, O_TMPFILE | O_CLOEXEC | access, permissions);
  if (descriptor < 0) return -1;
  struct stat opened {
  }, linked{};
  const bool can_be_named = ::fstat(descriptor, &opened) == 0 &&
                            ::stat(path_of(descriptor).data(), &linked) == 0 &&
                            opened.st_dev == linked.st_dev && opened.st_ino == linked.st_ino;
  if (can_be_named) return descriptor;  // not if /proc is missing
  ::close(descriptor);
  return -1;
}

int name_nameless(int descriptor, const std::filesystem::path& name) noexcept {
  const int done =
      ::linkat(AT_FDCWD, path_of(descriptor).data(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  return done == 0 ? 0 : errno;
}

}  // namespace xorloom
