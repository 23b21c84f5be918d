#pragma once

#include <optional>
#include <set>
#include <string>

namespace xorloom::cli {

/// The paths that an archive makes in the current directory, told apart by the file system, which
/// may take names for equal that differ: in case alone, or in how their letters are encoded.
class TreeNames {
 public:
  /// Takes a path, and those of the directories above it, that is to be made now. If the file
  /// system takes one of them for another one of the archive, says so in a phrase, and takes no
  /// more.
  ///
  /// Errors: throws kIo if a file cannot be given its name back.
  std::optional<std::string> why_not_distinct(const std::string& name);

 private:
  std::string made_as(const std::string& path) const;

  std::set<std::string> made_;
};

/// Whether a relative path, or a directory above it, is a symbolic link.
bool leads_through_link(const std::string& path);

}  // namespace xorloom::cli
