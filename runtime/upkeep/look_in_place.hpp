#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/find_segments.hpp"
#include "runtime/upkeep/other_files.hpp"

namespace xorloom {

/// Where a protected file is looked for, by its number.
using PathOfFile = std::function<std::filesystem::path(std::size_t)>;

/// Reads each protected file where it is said to be, compares it with its checksums, and says in
/// `found` how it is. `others` passes over what it reads. Files that are kept are not read, and
/// whole.
///
/// Shape:  `is_kept` is by file, or empty if none is; threads as run_pipeline().
/// Errors: throws kDamaged if a part is among the files.
/// Cost:   reads each file once, on all threads.
void look_in_place(const Protection& protection, const PathOfFile& path_of,
                   const std::vector<bool>& is_kept, std::size_t threads, OtherFiles& others,
                   FoundSegments& found, Progress& progress);

/// Why a file could not be opened or read, as a phrase. Shape: `error` of a FileState, not 0.
std::string reading_error(int error);

}  // namespace xorloom
