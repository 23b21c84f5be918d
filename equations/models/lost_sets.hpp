#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codes/code.hpp"
#include "equations/reads/read_search.hpp"

namespace xorloom {

/// Lost locations of a stripe as a bit each.
using LostSet = std::uint64_t;

/// The most locations of a code whose losses are simulated.
inline constexpr std::size_t kMostSimulatedLocations = 64;

/// Which sets of lost locations a code survives, each decided once.
class LostSets {
 public:
  /// Buffers: keeps a reference to the code.
  /// Errors:  throws kInvalidArgument for more than kMostSimulatedLocations.
  explicit LostSets(const Code& code);

  /// Whether all of the lost can be rebuilt.
  bool survives(LostSet lost);

  /// The most losses that any set that is survived has.
  std::size_t most_losses() const { return most_; }

  /// The share of the sets of this many locations that is survived: exact for up to kMostCounted
  /// sets, else of that many at random, always the same.
  double share_survived(std::size_t losses);

 private:
  const Code* code_;
  bool is_mds_;
  std::size_t most_;
  std::unordered_map<LostSet, bool> known_;
};

inline constexpr std::size_t kMostCounted = 20'000;

/// Bytes read per byte rebuilt for one of so many lost locations, by their number from 1 on: what
/// fewest_reads finds, as the mean over sets that are survived. Where there are many, some are
/// taken at random, always the same ones.
std::vector<double> reads_by_losses(const Code& code, LostSets& sets);

/// Repairs are planned for every location of a code of up to this many.
inline constexpr std::size_t kMostMeanReadLocations = 1024;

/// The search of `xorloom equations --reads min`: some hundredths of a second per location.
inline constexpr std::uint64_t kMeanReadWork = kUsualReadWork << 5;

/// Bytes read per byte rebuilt by a repair of one lost location that reads as little as
/// fewest_reads finds with that much work, as the mean over all locations. If `whole_chunks`, a
/// repair reads chunks whole, else sub-chunks and rows of packets apart.
///
/// Errors: throws kInvalidArgument if the code has more than kMostMeanReadLocations, and kDamaged
///         if it does not survive the loss of one location.
double mean_repair_reads(const Code& code, bool whole_chunks, std::uint64_t work = kMeanReadWork);

}  // namespace xorloom
