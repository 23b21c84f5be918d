#include "runtime/files/remove_tree.hpp"

#include <fts.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace xorloom {

bool remove_tree(const std::filesystem::path& directory) noexcept {
  std::string name = directory.native();
  const std::array<char*, 2> roots{name.data(), nullptr};
  // It must not change the directory of the process, which other threads have too.
  FTS* const tree = ::fts_open(roots.data(), FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, nullptr);
  if (tree == nullptr) return false;
  dev_t device = 0;
  while (const FTSENT* const entry = ::fts_read(tree)) {
    if (entry->fts_level == FTS_ROOTLEVEL && entry->fts_info == FTS_D) device = entry->fts_dev;
    switch (entry->fts_info) {
      case FTS_D:  // before its entries are read
        if (entry->fts_dev == device && (entry->fts_statp->st_mode & S_IRWXU) != S_IRWXU) {
          static_cast<void>(::chmod(entry->fts_path, S_IRWXU));
        }
        break;
      case FTS_DP:
      case FTS_DNR:
        ::rmdir(entry->fts_path);
        break;
      default:
        ::unlink(entry->fts_path);
        break;
    }
  }
  ::fts_close(tree);
  // Whatever failed has left something in it.
  struct stat left {};
  return ::lstat(directory.c_str(), &left) != 0 && errno == ENOENT;
}

}  // namespace xorloom
