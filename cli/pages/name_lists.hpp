#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

// Long lists of files in text: the first few, and how many more there are.

/// The most lines of one kind in a text, unless --list-all is given.
inline constexpr std::size_t kMostListed = 10;

/// Adds --list-all.
void add_list_all(Command& command, bool& is_whole);

/// Returns the first kMostListed lines, and a last line: `kind`, the number of lines left out, and
/// the option that lists all (`way`). Returns all lines if `is_whole` is true, or if only one line
/// would be left out.
std::vector<std::string> shortened(std::vector<std::string> lines, bool is_whole,
                                   const std::string& kind,
                                   const std::string& way = "--list-all names");

/// A file and its old and new name, or a renamed directory with all files in it.
struct Renamed {
  std::string before;
  std::string now;
  std::size_t files = 0;  ///< 0: a file; else the number of files that are in the directory `now`
  std::size_t of = 0;     ///< the number of files that the directory `before` had
};

/// Joins files that are in another directory now, under the same names, if there are at least two
/// of these two directories. Shape: pairs of the name before and the name now; their order stays.
/// `all` are the names of all files before, ascending.
std::vector<Renamed> joined_renames(const std::vector<std::pair<std::string, std::string>>& files,
                                    const std::vector<std::string>& all);

/// "3", or "3 of 6" if some files of a directory are not where these are.
std::string count_of(const Renamed& directory);

/// Writes names with say() or note(), a line each that begins as `kind` says: the first few, unless
/// `is_whole` is true.
void write_names(void (&write)(std::string_view) noexcept, const std::string& kind,
                 std::vector<std::string> names, bool is_whole);

/// "photos/" for "photos", and "./" for "".
std::string directory_name(const std::string& name);

}  // namespace xorloom::cli
