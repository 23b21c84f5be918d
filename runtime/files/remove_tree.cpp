#include "runtime/files/remove_tree.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <new>
#include <string>
#include <system_error>

#include "runtime/files/directory_listing.hpp"

namespace xorloom {
namespace {

/// Removes the directory `path`, whose status is `directory`, with its content on its file system.
///
/// Not by fts(3): that of glibc reads at a null pointer if memory runs out.
void remove_directory(std::string& path, const struct stat& directory) {
  if ((directory.st_mode & S_IRWXU) != S_IRWXU) {
    static_cast<void>(::chmod(path.c_str(), S_IRWXU));
  }
  const std::size_t length = path.size();
  std::error_code unreadable;
  for (const std::string& name : names_in(path, unreadable)) {
    path += '/';
    path += name;
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0) {
      if (!S_ISDIR(status.st_mode)) {
        ::unlink(path.c_str());
      } else if (status.st_dev == directory.st_dev) {
        remove_directory(path, status);
      }
    }
    path.resize(length);
  }
  ::rmdir(path.c_str());
}

}  // namespace

bool remove_tree(const std::filesystem::path& directory) noexcept {
  struct stat status {};
  try {
    std::string path = directory.native();
    const bool is_there = ::lstat(path.c_str(), &status) == 0;
    if (is_there && S_ISDIR(status.st_mode)) {
      remove_directory(path, status);
    } else if (is_there) {
      ::unlink(path.c_str());
    }
  } catch (const std::bad_alloc&) {
    return false;
  }
  // If anything failed, the directory is still there.
  return ::lstat(directory.c_str(), &status) != 0 && errno == ENOENT;
}

}  // namespace xorloom
