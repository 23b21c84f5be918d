#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/files/open_file.hpp"

namespace xorloom::cli {

/// A file or directory that the user named as a part of a set of files; a directory includes its
/// content. A symbolic link that the user named stands for its target.
struct TreeRoot {
  std::string path;  ///< as the user gave it
  std::string name;  ///< last name of `path`, under which it is stored
  FileIdentity identity;
  bool is_directory = false;
};

/// The roots that `paths` name. A path that ends in . or .. has the name of the directory.
///
/// Errors: throws kIo if nothing is at a path; kInvalidArgument if a path is "-", is neither a file
///         nor a directory, has no name, or has the name of another root.
std::vector<TreeRoot> tree_roots(const std::vector<std::string>& paths);

/// The permissions that every file below the roots grants, narrowed by the directories below the
/// roots: see permissions_within() and permissions_in().
///
/// Errors: throws kIo if a directory cannot be listed.
mode_t permissions_of(const std::vector<TreeRoot>& roots);

/// True if `path` is `directory` or lies in it. The last parts of `path` need not exist.
bool leads_into(const std::filesystem::path& path, const FileIdentity& directory);

/// Throws kInvalidArgument if one of `directories`, which are for shards, is or lies in a root.
void check_outside(const std::vector<TreeRoot>& roots, const std::vector<std::string>& directories);

}  // namespace xorloom::cli
