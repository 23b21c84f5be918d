#include "runtime/protection/replace_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string>

#include "runtime/files/file_error.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNameBytes = 255;

/// Which file a name is, links not followed.
std::optional<FileIdentity> identity_of_name(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

/// NAME.damaged, NAME.damaged-2 and so on, of a name that is cut if it would be too long.
fs::path kept_name(const fs::path& path, int number) {
  const std::string end = number == 1 ? ".damaged" : fmt::format(".damaged-{}", number);
  const std::string name = path.filename().string();
  return path.parent_path() / (name.substr(0, kMostNameBytes - end.size()) + end);
}

/// Renames a file to the first kept name of another that is free.
fs::path rename_to_kept(const fs::path& from, const fs::path& path,
                        const std::function<bool(const fs::path&)>& is_reserved) {
  for (int number = 1;; ++number) {
    fs::path kept = kept_name(path, number);
    if (is_reserved(kept)) continue;
    const int code = rename_to_free_name(from, kept);
    if (code == 0) return kept;
    if (code != EEXIST) fail_on_io("rename", path, code);
  }
}

}  // namespace

std::optional<KeptFile> keep_beside(const fs::path& path,
                                    const std::function<bool(const fs::path&)>& is_reserved) {
  const std::optional<FileIdentity> identity = identity_of_name(path);
  if (!identity) return std::nullopt;
  for (int number = 1;; ++number) {
    const fs::path kept = kept_name(path, number);
    if (is_reserved(kept)) continue;
    if (::linkat(AT_FDCWD, path.c_str(), AT_FDCWD, kept.c_str(), 0) == 0) {
      return KeptFile{path, kept, identity_of_name(kept)};
    }
    if (errno == EEXIST) continue;
    return KeptFile{path, rename_to_kept(path, path, is_reserved), identity};
  }
}

std::optional<fs::path> put_in_place(PendingFile& file, const std::optional<KeptFile>& kept,
                                     const std::function<bool(const fs::path&)>& is_reserved) {
  const fs::path& path = file.destination();
  const fs::path& temporary = file.temporary();
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
    // Under the hidden name is now what stood there. What was kept goes with that name.
    if (kept && identity_of_name(temporary) == kept->identity) return std::nullopt;
    return rename_to_kept(temporary, path, is_reserved);
  }
  const bool is_free = errno == ENOENT;
  file.commit(is_free ? Existing::kRefuse : Existing::kReplace);
  return std::nullopt;
}

void set_info(const fs::path& path, const ProtectedFile& file, const fs::path& name) {
  struct stat like {};
  if (::lstat(name.c_str(), &like) == 0 || ::stat(directory_of(name).c_str(), &like) == 0) {
    static_cast<void>(::lchown(path.c_str(), like.st_uid, like.st_gid));
  }
  const timespec modified{static_cast<std::time_t>(file.modified_seconds),
                          static_cast<long>(file.modified_nanoseconds)};
  const std::array<timespec, 2> times{timespec{0, UTIME_OMIT}, modified};
  static_cast<void>(::chmod(path.c_str(), file.permissions));
  static_cast<void>(::utimensat(AT_FDCWD, path.c_str(), times.data(), AT_SYMLINK_NOFOLLOW));
}

}  // namespace xorloom
