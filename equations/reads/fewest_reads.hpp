#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/reads/read_search.hpp"

namespace xorloom {

/// A repair to be planned. Cells are what can be read apart: sub-chunks of words; for rows of
/// packets give bits_of(code).
struct ReadRequest {
  std::vector<std::size_t> lost{};
  std::vector<Cell> wanted{};  ///< of the lost locations; default: all of them
  /// By location, the cost of reading one of its cells, such as time, distance or load. Default: 1
  /// each.
  std::vector<std::uint64_t> costs{};
  std::vector<std::size_t> at_hand{};   ///< locations that are read anyway, and cost nothing
  bool whole_locations = false;         ///< what is read at all of a location is read whole
  std::uint64_t work = kUsualReadWork;  ///< where a search is cut short; see ReadSearch
};

struct Reads {
  LinearMap map;            ///< the wanted cells from those that are read
  std::uint64_t cost = 0;   ///< of reading them
  std::uint64_t least = 0;  ///< nothing costs less than this
  bool is_fewest() const { return cost <= least; }
};

/// The largest cost that is accepted.
inline constexpr std::uint64_t kMostReadCost = 1'000'000;

/// The cells to read that cost the least, and of such those with the fewest terms.
///
/// It tries the cells that the family knows (Code::repair_cells), whole locations, the cheapest
/// first, and the result of search_reads, until one of these meets the bound of least_reads. Search
/// is left out where solving takes more than kMostChecksWork field operations; then the answer is
/// the best of the others. Where whole locations are read, the dearest are left out one after the
/// other as long as that can be: the least for codes that survive any n - k losses.
///
/// Errors: throws kInvalidArgument for locations out of range, named twice or at hand though lost,
///         a wanted cell that is not lost, costs that are not one per location or exceed
///         kMostReadCost; kDamaged if the wanted cells cannot be rebuilt.
Reads fewest_reads(const Code& code, const ReadRequest& request);

inline constexpr std::size_t kMostChecksWork = std::size_t{1} << 24;

}  // namespace xorloom
