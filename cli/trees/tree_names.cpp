#include "cli/trees/tree_names.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include "runtime/files/directory_listing.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom::cli {
namespace {

/// The path without "." and double slashes, and before it the directories above: of "a//b/./c" they
/// are "a", "a/b" and "a/b/c".
std::vector<std::string> paths_down_to(std::string_view path) {
  std::vector<std::string> paths;
  for (const std::filesystem::path& part : std::filesystem::path(path)) {
    if (part.empty() || part == ".") continue;
    paths.push_back(paths.empty() ? part.native() : paths.back() + '/' + part.native());
  }
  return paths;
}

/// Returns the type bits of what a path names, links not followed; 0 if nothing is there.
mode_t type_of(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & S_IFMT : 0;
}

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

/// Returns the name that a directory does not list any more if the file at `path` is renamed, for
/// file systems without inodes of their own. Empty if it cannot be found out.
std::string name_that_goes(const std::string& path) {
  constexpr const char* kAside = "../same-name";
  const std::filesystem::path directory = directory_of(path);
  std::error_code error;
  const std::vector<std::string> before = names_in(directory, error);
  if (::rename(path.c_str(), kAside) != 0) return {};
  const std::vector<std::string> after = names_in(directory, error);
  std::vector<std::string> gone;
  std::ranges::set_difference(before, after, std::back_inserter(gone));
  const std::string found =
      gone.size() == 1 ? (directory / gone.front()).lexically_normal().native() : path;
  if (::rename(kAside, found.c_str()) != 0) fail_on_io("rename", found, errno);
  return gone.size() == 1 ? found : std::string();
}

}  // namespace

/// Returns the path of the archive that leads to the same file as `path`. Empty if it cannot be
/// found out.
std::string TreeNames::made_as(const std::string& path) const {
  const std::string directory = path.substr(0, path.rfind('/') + 1);
  const auto identity = identity_of(path);
  for (auto made = made_.lower_bound(directory); made != made_.end(); ++made) {
    if (!made->starts_with(directory)) break;
    const bool is_beside = made->find('/', directory.size()) == std::string::npos;
    if (is_beside && identity_of(*made) == identity) return *made;
  }
  return name_that_goes(path);
}

std::optional<std::string> TreeNames::why_not_distinct(const std::string& name) {
  for (const std::string& path : paths_down_to(name)) {
    const mode_t type = type_of(path);
    if (made_.contains(path)) {
      if (S_ISLNK(type)) return std::nullopt;  // nothing is written through a link
      continue;
    }
    if (type == 0) {
      made_.insert(path);
      continue;
    }
    const std::string other = made_as(path);
    return fmt::format("this file system takes it for {}", other.empty() ? "another one" : other);
  }
  return std::nullopt;
}

bool leads_through_link(const std::string& path) {
  return std::ranges::any_of(paths_down_to(path),
                             [](const std::string& each) { return S_ISLNK(type_of(each)); });
}

}  // namespace xorloom::cli
