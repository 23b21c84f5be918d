#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/reads/read_search.hpp"

namespace xorloom {

/// A repair to plan. Cells are the units of reading: sub-chunks of words; for rows of packets, plan
/// with bits_of(code).
struct ReadRequest {
  std::vector<std::size_t> lost{};
  std::vector<Cell> wanted{};  ///< cells of `lost` to rebuild; empty: all
  /// By location: cost of reading one of its cells, such as time, distance or load. Empty: 1 each.
  std::vector<std::uint64_t> costs{};
  std::vector<std::size_t> at_hand{};   ///< locations that are read anyway, at no cost
  bool whole_locations = false;         ///< read all cells of a location or none
  std::uint64_t work = kUsualReadWork;  ///< work bound of the search; see ReadSearch::work
};

struct Reads {
  LinearMap map;            ///< inputs: cells to read; outputs: wanted cells
  std::uint64_t cost = 0;   ///< cost of all reads
  std::uint64_t least = 0;  ///< proven lower bound of `cost`
  bool is_fewest() const { return cost <= least; }
};

/// Largest valid cost of reading a cell.
inline constexpr std::uint64_t kMostReadCost = 1'000'000;

/// Returns the cheapest cells to read for a repair; of equal cost, those with the fewest terms.
///
/// Tries the cells that the family knows (Code::repair_cells), whole locations, the cheapest first,
/// and search_reads, until a result meets the bound of least_reads. There is no search if solving
/// the checks takes more than kMostChecksWork field operations. Whole locations are chosen by
/// leaving out the dearest, one after the other, as long as the rest suffices. That costs the least
/// for codes that survive any n - k losses.
///
/// Errors: throws kInvalidArgument for locations out of range, named twice, or both at hand and
///         lost, a wanted cell that is not lost, costs that are not one per location or exceed
///         kMostReadCost; kDamaged if the wanted cells cannot be rebuilt.
Reads fewest_reads(const Code& code, const ReadRequest& request);

inline constexpr std::size_t kMostChecksWork = std::size_t{1} << 24;

}  // namespace xorloom
