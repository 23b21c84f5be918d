#include "runtime/files/leftovers.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <string>
#include <system_error>

#include "runtime/files/directory_listing.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/files/output_file.hpp"
#include "runtime/files/pending_file.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// True if the locks of a file's file system may hold only on this machine: then nothing tells
/// whether another machine has the file locked.
bool may_lock_here_alone(int descriptor) {
  // NFS, SMB in three versions, 9P, FUSE, Ceph, AFS and Coda, as statfs(2) numbers them.
  constexpr std::array<std::uint32_t, 9> kShared = {0x6969,     0x517b,     0xff534d42,
                                                    0xfe534d42, 0x01021997, 0x65735546,
                                                    0x00c36400, 0x5346414f, 0x73757245};
  struct statfs status {};
  if (::fstatfs(descriptor, &status) != 0) return true;
  return std::ranges::find(kShared, static_cast<std::uint32_t>(status.f_type)) != kShared.end();
}

constexpr std::size_t kRandomDigits = 16;

bool is_hidden_name(std::string_view name, const std::string& begin) {
  return name.size() == begin.size() + kRandomDigits && name.starts_with(begin) &&
         name.find_first_not_of("0123456789abcdef", begin.size()) == std::string_view::npos;
}

}  // namespace

bool is_hidden_name_of(std::string_view name, const fs::path& path, std::string_view suffix) {
  return is_hidden_name(name, hidden_name_begin(path, suffix));
}

std::vector<fs::path> hidden_names_of(const fs::path& path, std::string_view suffix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const std::string& name : names_in(directory_of(path), error)) {
    if (is_hidden_name_of(name, path, suffix)) found.push_back(directory_of(path) / name);
  }
  return found;
}

bool lock_leftover(int descriptor, const fs::path& path) {
  constexpr std::time_t kDay = 86400;
  struct stat opened {
  }, named{};
  if (::fstat(descriptor, &opened) != 0 || opened.st_uid != ::geteuid()) return false;
  if (may_lock_here_alone(descriptor) && opened.st_mtime >= std::time(nullptr) - kDay) return false;
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool is_unfinished_name(std::string_view name) {
  constexpr std::array<std::string_view, 2> kSuffixes = {kHiddenSuffix, kOutputSuffix};
  if (name == ".xorloom.lock") return true;
  if (name.size() <= kRandomDigits || name.front() != '.') return false;
  const std::string_view begin = name.substr(0, name.size() - kRandomDigits);
  return is_hidden_name(name, std::string(begin)) &&
         std::ranges::any_of(kSuffixes, [&](auto suffix) { return begin.ends_with(suffix); });
}

void remove_leftovers_of(const fs::path& pending) {
  std::error_code error;
  for (const fs::path& path : hidden_names_of(pending, kHiddenSuffix)) fs::remove(path, error);
}

}  // namespace xorloom
