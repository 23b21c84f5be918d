#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codes/code.hpp"
#include "equations/reads/read_search.hpp"

namespace xorloom {

/// Set of lost locations of a stripe: bit l for location l.
using LostSet = std::uint64_t;

/// Most locations of a code whose losses are simulated.
inline constexpr std::size_t kMostSimulatedLocations = 64;

/// Decides which sets of lost locations a code survives, and remembers the answers.
class LostSets {
 public:
  /// Buffers: keeps a reference to the code.
  /// Errors:  throws kInvalidArgument for more than kMostSimulatedLocations.
  explicit LostSets(const Code& code);

  /// True if all locations of `lost` can be rebuilt.
  bool survives(LostSet lost);

  /// Upper bound of the size of a survived set.
  std::size_t most_losses() const { return most_; }

  /// The share of the sets of `losses` locations that are survived. Exact for up to kMostCounted
  /// sets, else estimated from kMostCounted random sets, the same in each run.
  double share_survived(std::size_t losses);

 private:
  const Code* code_;
  bool is_mds_;
  std::size_t most_;
  std::unordered_map<LostSet, bool> known_;
};

inline constexpr std::size_t kMostCounted = 20'000;

/// By number of lost locations, from 1 on: bytes read per byte rebuilt, to rebuild one of them. The
/// mean of fewest_reads over survived sets; if there are many, over random ones, the same in each
/// run.
std::vector<double> reads_by_losses(const Code& code, LostSets& sets);

/// Most locations of a code for mean_repair_reads().
inline constexpr std::size_t kMostMeanReadLocations = 1024;

/// Work bound of `xorloom equations --reads min`: some hundredths of a second per location.
inline constexpr std::uint64_t kMeanReadWork = kUsualReadWork << 5;

/// Bytes read per byte rebuilt by a repair of one lost location, as the mean over all locations.
/// The reads are those of fewest_reads with the work bound `work`. With `whole_chunks`, a repair
/// reads whole chunks, else sub-chunks or rows of packets.
///
/// Errors: throws kInvalidArgument if the code has more than kMostMeanReadLocations, and kDamaged
///         if it does not survive the loss of one location.
double mean_repair_reads(const Code& code, bool whole_chunks, std::uint64_t work = kMeanReadWork);

}  // namespace xorloom
