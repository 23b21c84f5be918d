#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/files/modified_time.hpp"
#include "runtime/protection/protected_files.hpp"

namespace xorloom {

ModifiedTime time_of(const ProtectedFile& file);

/// `files` with times cut like those in `others`, see cut_times(): like the time of the file of the
/// same name, or of any file that is not known by its name. The finest cut decides. Precondition:
/// both ascend by name.
std::vector<ProtectedFile> with_times_cut_as(std::vector<ProtectedFile> files,
                                             const std::vector<ProtectedFile>& others);

/// Old and new lists of files, with times that can be compared.
struct ComparableFiles {
  std::vector<ProtectedFile> before;
  std::vector<ProtectedFile> now;
};

/// Cuts the times of each list as those of the other were: see with_times_cut_as().
ComparableFiles comparable_files(const std::vector<ProtectedFile>& before,
                                 const std::vector<ProtectedFile>& now);

/// Changes of protected files, judged by names, sizes and times. An edit changes a file's time, and
/// damage does not. Maps lead from numbers of files before to numbers of files now.
struct FileChanges {
  /// Equal size and time, under the same name; or under the same last name in another directory, if
  /// that is unambiguous.
  std::map<std::size_t, std::size_t> same;
  std::map<std::size_t, std::size_t> edited;   ///< same name, other time
  std::map<std::size_t, std::size_t> resized;  ///< same name and time, other size
  std::vector<std::size_t> gone;               ///< numbers of files before
  std::vector<std::size_t> added;              ///< numbers of files now
};

/// Precondition: both ascend by name.
FileChanges compare_files(const std::vector<ProtectedFile>& before,
                          const std::vector<ProtectedFile>& now);

/// The size and the time of a file, which damage does not change.
using SizeAndTime = std::tuple<std::uint64_t, std::int64_t, std::uint32_t>;
SizeAndTime size_and_time(const ProtectedFile& file);

/// `text` with ASCII capital letters made small.
std::string in_small_letters(std::string text);

}  // namespace xorloom
