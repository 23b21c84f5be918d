#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "runtime/engine/plan_options.hpp"
#include "xorloom/split_repair.hpp"

namespace xorloom {

/// A repair split by site; see Codec::split. Each site's part is the columns of its cells of one
/// map of the code, which is chosen as make_repair_plan does with the other sites' locations out of
/// reach.
///
/// Errors: as make_repair_plan, and as site_sets.
SplitRepair make_split_repair(const Code& code, const Repair& repair,
                              std::span<const std::vector<std::size_t>> sites,
                              const PlanOptions& options);

}  // namespace xorloom
