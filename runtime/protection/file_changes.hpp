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

/// Files with the times that others of their names have, or any others whose names do not tell, if
/// these are their times, cut: see cut_times(). The finest cut decides. Shape: both ascend by name.
std::vector<ProtectedFile> with_times_cut_as(std::vector<ProtectedFile> files,
                                             const std::vector<ProtectedFile>& others);

/// Files of before and now, with times that can be compared.
struct ComparableFiles {
  std::vector<ProtectedFile> before;
  std::vector<ProtectedFile> now;
};

/// Cuts times on either side as those of the other side were: see with_times_cut_as().
ComparableFiles comparable_files(const std::vector<ProtectedFile>& before,
                                 const std::vector<ProtectedFile>& now);

/// What became of protected files, as names, sizes and times say. An edit changes a file's time,
/// and damage does not. The numbers are those of files, before and now.
struct FileChanges {
  /// The same size and time, under the same name, or in another directory under the same last name
  /// if that leaves no choice.
  std::map<std::size_t, std::size_t> same;
  std::map<std::size_t, std::size_t> edited;   ///< the same name, and another time
  std::map<std::size_t, std::size_t> resized;  ///< the same name and time, and another size
  std::vector<std::size_t> gone;               ///< before
  std::vector<std::size_t> added;              ///< now
};

/// Shape: both ascend by name.
FileChanges compare_files(const std::vector<ProtectedFile>& before,
                          const std::vector<ProtectedFile>& now);

/// The size and the time of a file, which damage does not change.
using SizeAndTime = std::tuple<std::uint64_t, std::int64_t, std::uint32_t>;
SizeAndTime size_and_time(const ProtectedFile& file);

/// The text with the capital letters of ASCII made small.
std::string in_small_letters(std::string text);

}  // namespace xorloom
