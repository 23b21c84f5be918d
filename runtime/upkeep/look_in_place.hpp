#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/find_segments.hpp"
#include "runtime/upkeep/other_files.hpp"

namespace xorloom {

/// Reads each protected file under its name, compares it with its checksums, and says in `found`
/// how it is. `others` passes over what it reads. Files that are kept are not read, and whole.
///
/// Shape:  `found` has a place for each segment and a state for each file; `is_kept` is by file, or
///         empty if none is; threads as run_pipeline().
/// Errors: throws kDamaged if a part is among the files.
/// Cost:   reads each file once, on all threads.
void look_in_place(const Protection& protection, const std::filesystem::path& base,
                   const std::vector<bool>& is_kept, std::size_t threads, OtherFiles& others,
                   FoundSegments& found, Progress& progress);

}  // namespace xorloom
