#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

/// Makes a directory with all that is hard to keep: odd names, empty files and directories,
/// permissions, links, times before 1970, and a file of `large_bytes` bytes.
void make_odd_tree(const std::filesystem::path& directory, std::size_t large_bytes);

/// Removes a directory, also what is in directories that forbid it.
void remove_all_of(const std::filesystem::path& directory);

/// A folder that goes with such trees in it.
class TreeFolder : public TemporaryFolder {
 public:
  TreeFolder() = default;
  TreeFolder(const TreeFolder&) = delete;
  TreeFolder& operator=(const TreeFolder&) = delete;
  ~TreeFolder() { remove_all_of(path()); }
};

/// Returns a line for `root` and for each file and directory below it: name, type, permissions,
/// time to the nanosecond, target of a link, content. Hard links to one file have one number.
std::string listing(const std::filesystem::path& root);

/// A tar archive by hand, with entries that no honest program writes.
struct TarEntry {
  std::string name;
  char type = '0';  ///< 0 file, 1 hard link, 2 symbolic link, 3 device, 5 directory
  std::string target{};
  std::string content{};
  unsigned permissions = 0644;
};
std::string tar_of(const std::vector<TarEntry>& entries);

/// Makes a set in a directory that says of any content that it is an archive of files.
void encode_as_archive(const std::filesystem::path& directory, const std::string& content);

}  // namespace xorloom::test
