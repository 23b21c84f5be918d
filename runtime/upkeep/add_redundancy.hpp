#pragma once

#include <filesystem>
#include <vector>

#include "codes/code.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/protection/protected_files.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/protection/write_parts.hpp"
#include "runtime/upkeep/plan_update.hpp"
#include "runtime/upkeep/update_files.hpp"

namespace xorloom {

/// Thrown if a block of redundancy is damaged that must not stay so.
struct DamagedRedundancy {};

/// Treatment of damaged blocks of redundancy.
enum class BadBlocks { kRefused, kStaySo };

/// Writes the old redundancy with that of new segments added, and sets the sums of these. Adds to
/// `plan.bytes_read`. Returns true if damaged blocks stay so.
///
/// Shape:  `map` is that of the plan's manifest. `parts` have the places of all old parts.
/// Errors: throws DamagedRedundancy if `bad_blocks` are refused and there are some; kIo.
bool add_redundancy(const UpdateRequest& request, const Protection& old, UpdatePlan& plan,
                    const Code& code, const FileMap& map, const std::filesystem::path& base,
                    BadBlocks bad_blocks, std::vector<PartBeingWritten>& parts, Progress& progress);

}  // namespace xorloom
