#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/field/field.hpp"
#include "equations/build/solved_checks.hpp"

namespace xorloom {

/// Default work bound: about 1 ms of search.
inline constexpr std::uint64_t kUsualReadWork = std::uint64_t{1} << 18;

/// Options of search_reads: compute the targets from sources of the least weight, then with the
/// fewest terms.
struct ReadSearch {
  std::vector<std::uint64_t> weights;          ///< by source
  std::vector<std::vector<std::size_t>> keep;  ///< sets of sources to try first, each ascending
  std::uint64_t least = 0;  ///< lower bound of the cost, at which the search stops
  /// Work bound if there are too many sets to try all: 64-bit words, or symbols, that the exchanges
  /// may read. 0: no search, only the starts by `keep` and by the weights.
  std::uint64_t work = kUsualReadWork;
};

struct FoundReads {
  Matrix rows;             ///< targets x sources; a column of zeros is not read
  std::uint64_t cost = 0;  ///< sum of the weights of the sources read
  bool is_fewest = false;  ///< proven optimal: all sets were tried, or `least` was met
};

/// Searches rows of the least cost. Solving the free rows for a set of sources leaves these sources
/// unread. Tries all such sets if there are at most kMostReadSets (fewer for large codes). Else
/// exchanges one source for another by simulated annealing, with a fixed seed.
FoundReads search_reads(const Field& field, const SolvedChecks& checks, const ReadSearch& search);

inline constexpr std::size_t kMostReadSets = std::size_t{1} << 16;

}  // namespace xorloom
