#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/files/open_file.hpp"

namespace xorloom::cli {

/// A file or a directory that was named to be one of a set of files, with all that is in it. A
/// symbolic link that was named is what it leads to.
struct TreeRoot {
  std::string path;  ///< as it was given
  std::string name;  ///< its own, under which it is stored
  FileIdentity identity;
  bool is_directory = false;
};

/// What paths name: the last name of each, and of one that ends in . or .. that of the directory.
///
/// Errors: throws kIo if there is nothing, kInvalidArgument if it is neither a file nor a
///         directory, has no name, or has the name of another one.
std::vector<TreeRoot> tree_roots(const std::vector<std::string>& paths);

/// What all files and directories below some roots allow others: see permissions_within().
///
/// Errors: throws kIo if a directory cannot be listed.
mode_t permissions_of(const std::vector<TreeRoot>& roots);

/// Whether a path, of which the last parts need not exist, is a directory or leads into it.
bool leads_into(const std::filesystem::path& path, const FileIdentity& directory);

/// Throws kInvalidArgument if a directory for shards is in one that is to be encoded.
void check_outside(const std::vector<TreeRoot>& roots, const std::vector<std::string>& directories);

}  // namespace xorloom::cli
