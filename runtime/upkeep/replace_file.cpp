#include "runtime/upkeep/replace_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/shards/file_info.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// NAME.damaged, NAME.damaged-2 and so on; NAME is cut if the result would be too long.
fs::path kept_name(const fs::path& path, int number) {
  const std::string end = number == 1 ? ".damaged" : fmt::format(".damaged-{}", number);
  return path.parent_path() / (cut_for_end(path.filename().string(), end.size()) + end);
}

/// Takes the first kept name that is neither reserved nor taken. take(name) returns 0 or errno.
template <typename Take>
fs::path take_kept_name(const fs::path& path, const IsReserved& is_reserved, const Take& take) {
  for (int number = 1;; ++number) {
    fs::path kept = kept_name(path, number);
    if (is_reserved(kept)) continue;
    const int code = take(kept);
    if (code == 0) return kept;
    if (code != EEXIST) fail_on_io("rename", path, code);
  }
}

}  // namespace

std::optional<FileIdentity> identity_of_name(const fs::path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

std::optional<KeptFile> keep_beside(const fs::path& path, const IsReserved& is_reserved) {
  const std::optional<FileIdentity> identity = identity_of_name(path);
  if (!identity) return std::nullopt;
  const fs::path kept = take_kept_name(path, is_reserved, [&](const fs::path& name) {
    if (::linkat(AT_FDCWD, path.c_str(), AT_FDCWD, name.c_str(), 0) == 0) return 0;
    return errno == EEXIST ? EEXIST : rename_to_free_name(path, name);
  });
  return KeptFile{kept, identity_of_name(kept)};
}

fs::path free_kept_name(const fs::path& path, const IsReserved& is_reserved) {
  return take_kept_name(path, is_reserved,
                        [](const fs::path& name) { return identity_of_name(name) ? EEXIST : 0; });
}

std::optional<fs::path> put_in_place(PendingFile& file, const std::optional<KeptFile>& kept,
                                     const IsReserved& is_reserved) {
  const fs::path& path = file.destination();
  const fs::path& temporary = file.temporary();
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) {
    // The hidden name now has what was at `path`. If that was kept, it goes with the hidden name.
    if (kept && identity_of_name(temporary) == kept->identity) return std::nullopt;
    return take_kept_name(path, is_reserved, [&](const fs::path& name) {
      return rename_to_free_name(temporary, name);
    });
  }
  // Nothing is there, or the file system cannot exchange names.
  file.commit(errno == ENOENT ? Existing::kRefuse : Existing::kReplace);
  return std::nullopt;
}

std::string in_the_way(const fs::path& base, const std::string& name) {
  std::error_code error;
  for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
    const fs::path path = base / name.substr(0, end);
    const fs::file_status itself = fs::symlink_status(path, error);
    if (!fs::exists(itself)) return "";
    if (fs::is_directory(path, error)) continue;
    return fmt::format("{} is {}", path.string(),
                       fs::is_symlink(itself) ? "a symbolic link that leads to no directory"
                                              : "no directory any more");
  }
  const bool is_directory = fs::is_directory(fs::symlink_status(base / name, error));
  return is_directory ? "a directory stands there" : "";
}

bool ignores_case(const fs::path& path) {
  std::string name = path.filename().string();
  for (char& letter : name) {
    if ('a' <= letter && letter <= 'z') letter = static_cast<char>(letter - ('a' - 'A'));
  }
  return identity_of_name(path.parent_path() / name).has_value();
}

void set_info(const fs::path& path, const ProtectedFile& file, const fs::path& name) {
  struct stat like {};
  if (::lstat(path.c_str(), &like) == 0 && S_ISLNK(like.st_mode)) return;
  mode_t permissions = file.permissions;
  const bool is_there = ::lstat(name.c_str(), &like) == 0;
  if (is_there || ::stat(directory_of(name).c_str(), &like) == 0) {
    static_cast<void>(::lchown(path.c_str(), like.st_uid, like.st_gid));
  }
  if (is_there && S_ISREG(like.st_mode)) permissions &= like.st_mode;
  static_cast<void>(set_permissions_and_time(path, permissions, file.modified_seconds,
                                             file.modified_nanoseconds));
}

mode_t permissions_of_new_directory(const Protection& protection) {
  mode_t permissions = 0044;
  for (const ProtectionPart& part : protection.parts) {
    struct stat status {};
    permissions &= ::stat(part.path.c_str(), &status) == 0 ? status.st_mode : 0;
  }
  return 0700 | permissions | permissions >> 2;
}

int create_directories(const fs::path& directory, mode_t permissions, std::deque<fs::path>& made) {
  struct stat above {};
  if (::stat(directory.c_str(), &above) == 0) return S_ISDIR(above.st_mode) ? 0 : ENOTDIR;
  const fs::path parent = directory_of(directory);
  const int code = parent == directory ? ENOENT : create_directories(parent, permissions, made);
  if (code != 0) return code;
  if (::stat(parent.c_str(), &above) != 0) return errno;
  const mode_t allowed = permissions & (0700 | above.st_mode);
  if (::mkdir(directory.c_str(), allowed) != 0) return errno == EEXIST ? 0 : errno;
  static_cast<void>(::lchown(directory.c_str(), above.st_uid, above.st_gid));
  made.push_front(directory);
  return 0;
}

void set_directory_info(const fs::path& directory, const fs::path& base,
                        const std::vector<ProtectedDirectory>& known) {
  const std::string name = directory.lexically_relative(base).string();
  const auto found = std::ranges::lower_bound(known, name, {}, &ProtectedDirectory::name);
  if (found == known.end() || found->name != name) return;
  const int opened = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return;
  const timespec time{static_cast<time_t>(found->modified_seconds),
                      static_cast<long>(found->modified_nanoseconds)};
  const timespec times[] = {{0, UTIME_OMIT}, time};
  static_cast<void>(::futimens(opened, times));
  static_cast<void>(::fchmod(opened, found->permissions));
  ::close(opened);
}

fs::path nearest_directory(const fs::path& path) {
  fs::path directory = directory_of(path);
  std::error_code error;
  while (!fs::exists(directory, error)) {
    fs::path above = directory_of(directory);
    if (above == directory) break;
    directory = std::move(above);
  }
  return directory;
}

}  // namespace xorloom
