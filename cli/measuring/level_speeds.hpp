#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "gen/pictures/chart_svg.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {

/// Speeds in GB/s of data, for stripes in L1, L2, L3 and memory.
struct LevelSpeeds {
  double l1 = 0;
  double l2 = 0;
  double l3 = 0;
  double memory = 0;
};

/// A level: its key in JSON, its name for people, and its field.
struct NamedLevel {
  const char* key;
  const char* name;
  double LevelSpeeds::*speed;
};

inline constexpr std::array kNamedLevels{
    NamedLevel{"l1", "L1", &LevelSpeeds::l1}, NamedLevel{"l2", "L2", &LevelSpeeds::l2},
    NamedLevel{"l3", "L3", &LevelSpeeds::l3}, NamedLevel{"memory", "memory", &LevelSpeeds::memory}};

/// Bands of the levels on an axis of chunk bytes: in a band, the stripes of all codes lie in its
/// level. Codes with different numbers of chunks leave gaps between bands.
///
/// Shape: `locations` has the number of chunks of a stripe for each code; at least one.
std::vector<ChartBand> level_bands(const CacheSizes& caches,
                                   std::span<const std::size_t> locations);

}  // namespace xorloom::cli
