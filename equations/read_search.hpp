#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/field.hpp"
#include "equations/solved_checks.hpp"

namespace xorloom {

/// About a millisecond.
inline constexpr std::uint64_t kUsualReadWork = std::uint64_t{1} << 18;

/// What is looked for: targets computed from sources that cost the least, and of these with the fewest
/// terms.
struct ReadSearch {
  std::vector<std::uint64_t> weights;          ///< by source
  std::vector<std::vector<std::size_t>> keep;  ///< sets of sources worth trying, each ascending
  std::uint64_t least = 0;                     ///< nothing costs less: whoever gets there may stop
  /// Where there are too many sets: words of 64 bits, or symbols, that are gone through for one exchange
  /// after the other.
  std::uint64_t work = kUsualReadWork;
};

struct FoundReads {
  Matrix rows;             ///< of the targets, over the sources: what has only zeros is not read
  std::uint64_t cost = 0;  ///< weights of what is read
  bool is_fewest = false;  ///< nothing costs less: all sets were seen, or the least was met
};

/// Looks for rows that read the least. A set of sources that are not read is found by solving free rows
/// for them; all such sets are tried where they are at most kMostReadSets, fewer of large codes. Else sources are exchanged one
/// for another by annealing, of a fixed seed.
FoundReads search_reads(const Field& field, const SolvedChecks& checks, const ReadSearch& search);

inline constexpr std::size_t kMostReadSets = std::size_t{1} << 16;

}  // namespace xorloom
