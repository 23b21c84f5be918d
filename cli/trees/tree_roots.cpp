#include "cli/trees/tree_roots.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/pending_file.hpp"

namespace xorloom::cli {
namespace {

namespace fs = std::filesystem;

/// A path's last name; a '/' at its end is none.
std::string own_name(const std::string& path) {
  fs::path name(path);
  if (!name.has_filename()) name = name.parent_path();
  if (name.filename() == "." || name.filename() == "..") {
    std::error_code error;
    name = fs::canonical(name, error);
    if (error) fail_on_io("read", path, error.value());
  }
  return name.filename().string();
}

TreeRoot root_of(const std::string& path) {
  struct stat status {};
  if (path == "-") {
    fail(Status::kInvalidArgument, "standard input, -, cannot be one of several files");
  }
  if (::stat(path.c_str(), &status) != 0) fail_on_io("read", path, errno);
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is neither a file nor a directory, and cannot be one of several files",
                     printable(path)));
  }
  TreeRoot root{path, own_name(path), {status.st_dev, status.st_ino}, S_ISDIR(status.st_mode)};
  if (root.name.empty()) {
    fail(Status::kInvalidArgument, fmt::format("{} has no name of its own", printable(path)));
  }
  return root;
}

}  // namespace

std::vector<TreeRoot> tree_roots(const std::vector<std::string>& paths) {
  std::vector<TreeRoot> roots;
  for (const std::string& path : paths) {
    TreeRoot root = root_of(path);
    const auto same = std::ranges::find(roots, root.name, &TreeRoot::name);
    if (same != roots.end()) {
      fail(Status::kInvalidArgument,
           fmt::format("{} and {} both have the name '{}'", printable(same->path), printable(path),
                       printable(root.name)));
    }
    roots.push_back(std::move(root));
  }
  return roots;
}

mode_t permissions_of(const std::vector<TreeRoot>& roots) {
  mode_t permissions = kAnyPermissions;
  struct stat status {};
  const auto add = [&] {
    if (S_ISREG(status.st_mode)) permissions &= permissions_within(status.st_mode);
    if (S_ISDIR(status.st_mode)) permissions &= permissions_in(status.st_mode);
  };
  for (const TreeRoot& root : roots) {
    if (::stat(root.path.c_str(), &status) == 0) add();
    if (!root.is_directory) continue;
    std::error_code error;
    fs::recursive_directory_iterator entry(root.path, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      if (::lstat(entry->path().c_str(), &status) == 0) add();
    }
    if (error) fail_on_io("read", root.path, error.value());
  }
  return permissions_within(permissions);
}

bool leads_into(const fs::path& path, const FileIdentity& directory) {
  std::error_code error;
  fs::path at = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) at = path;
  for (;;) {
    if (file_identity(at) == directory) return true;
    if (!at.has_relative_path()) return false;
    at = at.parent_path();
  }
}

void check_outside(const std::vector<TreeRoot>& roots,
                   const std::vector<std::string>& directories) {
  for (const TreeRoot& root : roots) {
    if (!root.is_directory) continue;
    for (const std::string& directory : directories) {
      if (!leads_into(directory, root.identity)) continue;
      fail(Status::kInvalidArgument,
           fmt::format("{} for the shards is in {}, which is to be encoded", printable(directory),
                       printable(root.path)));
    }
  }
}

}  // namespace xorloom::cli
