#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/field/field.hpp"
#include "equations/build/solved_checks.hpp"

namespace xorloom {

/// Default work bound: about 1 ms of search.
inline constexpr std::uint64_t kUsualReadWork = std::uint64_t{1} << 18;

/// The problem: compute the targets from the sources that cost the least, and of these with the
/// fewest terms.
struct ReadSearch {
  std::vector<std::uint64_t> weights;          ///< by source
  std::vector<std::vector<std::size_t>> keep;  ///< sets of sources worth trying, each ascending
  std::uint64_t least = 0;                     ///< lower bound: the search may stop there
  /// The work bound where there are too many sets: the words of 64 bits, or symbols, that the
  /// exchanges may read. 0: no search, only what `keep` and the weights give.
  std::uint64_t work = kUsualReadWork;
};

struct FoundReads {
  Matrix rows;             ///< of the targets, over the sources: what has only zeros is not read
  std::uint64_t cost = 0;  ///< weights of what is read
  bool is_fewest = false;  ///< nothing costs less: all sets were seen, or the least was met
};

/// Looks for rows that read the least. Solving free rows for a set of sources leaves those sources
/// unread. The search tries all such sets where there are at most kMostReadSets, or fewer for large
/// codes. Else it exchanges sources one for another by annealing, with a fixed seed.
FoundReads search_reads(const Field& field, const SolvedChecks& checks, const ReadSearch& search);

inline constexpr std::size_t kMostReadSets = std::size_t{1} << 16;

}  // namespace xorloom
