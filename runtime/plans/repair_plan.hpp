#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/reads/fewest_reads.hpp"
#include "runtime/engine/plan_options.hpp"
#include "xorloom/split_repair.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A plan that rebuilds what a repair wants from the cells that cost least to read; see
/// fewest_reads.
///
/// Errors: as Codec::repair.
Plan make_repair_plan(const Code& code, const Repair& repair, const PlanOptions& options);

/// True if a repair may read any chunks that suffice, at equal cost: whole chunks of an MDS code.
bool are_survivors_alike(const Code& code, const Repair& repair);

/// The code in terms of the cells that a repair reads one by one: bits of packets, but symbols if
/// whole chunks are rebuilt.
Code repaired_cells(const Code& code, const Repair& repair);

/// The read request of a repair, in terms of `cells`.
///
/// Errors: throws kInvalidArgument for locations lost or wanted, or units, that are out of range or
///         do not go together.
ReadRequest read_request(const Code& cells, const Repair& repair, const PlanOptions& options);

/// The map that rebuilds `wanted` (empty: all of `lost`) if all other chunks are in memory: from
/// the fewest cells, but from whole chunks if equations on packets would take more XORs. `work`
/// bounds the search for few cells: see ReadSearch.
///
/// Errors: as decoding_map.
LinearMap in_memory_map(const Code& code, std::span<const std::size_t> lost,
                        std::span<const std::size_t> wanted, std::uint64_t work = kUsualReadWork);

/// A repair split by site; see Codec::split. One map of the code rebuilds the wanted cells; the
/// part of a site is the map's columns for cells at that site. The map is chosen as by
/// make_repair_plan, with the locations of sites that are not needed out of reach.
///
/// Errors: as make_repair_plan, and as site_sets.
SplitRepair make_split_repair(const Code& code, const Repair& repair,
                              std::span<const std::vector<std::size_t>> sites,
                              const PlanOptions& options);

}  // namespace xorloom
