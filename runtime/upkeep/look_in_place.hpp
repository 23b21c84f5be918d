#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "runtime/files/progress.hpp"
#include "runtime/protection/other_files.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/upkeep/find_segments.hpp"

namespace xorloom {

/// The path at which a protected file, given by its number, is looked for.
using PathOfFile = std::function<std::filesystem::path(std::size_t)>;

/// Reads each protected file at its path, compares it with its checksums, and sets its state in
/// `found`. `others` passes over the files that are read. Kept files are not read, and count as
/// whole.
///
/// Shape:  `is_kept` is by file; empty: none. `threads` as for run_pipeline().
/// Errors: throws kDamaged if a part is among the files.
/// Cost:   reads each file once, on all threads.
void look_in_place(const Protection& protection, const PathOfFile& path_of,
                   const std::vector<bool>& is_kept, std::size_t threads, OtherFiles& others,
                   FoundSegments& found, Progress& progress);

/// Says in a phrase why a file could not be opened or read. Precondition: `error` is a FileState's,
/// not 0.
std::string reading_error(int error);

}  // namespace xorloom
