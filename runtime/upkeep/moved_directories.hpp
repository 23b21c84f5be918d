#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/find_segments.hpp"

namespace xorloom {

/// A directory that was renamed or moved.
struct MovedDirectory {
  std::filesystem::path from;  ///< path now
  std::filesystem::path to;    ///< path before
};

/// The directories that are gone and whose files were found in one other directory each, in which
/// no protected file belongs.
///
/// Shape: `may_be_moved` tells whether a file was found elsewhere and may be renamed.
std::vector<MovedDirectory> moved_directories(const Protection& protection,
                                              const FoundSegments& found,
                                              const std::filesystem::path& base,
                                              const std::function<bool(std::size_t)>& may_be_moved);

}  // namespace xorloom
