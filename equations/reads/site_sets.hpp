#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// Locations of a code by site, such as racks, where a repair's home is one of these.
struct SiteSets {
  std::vector<std::size_t> site_of;  ///< by location
  std::vector<std::size_t> lost;
  std::size_t num_sites = 0;
  std::size_t home = 0;             ///< the site of the first location that is wanted
  std::size_t least_locations = 0;  ///< fewer in reach do not suffice for anything
};

inline constexpr std::size_t kMostSites = 16;

/// Shape:  every location of the code is at one site; wanted are some of the lost.
/// Errors: throws kInvalidArgument for more than kMostSites, a site without locations, a location
///         that is at no site or at two, or out of range; where nothing is lost; for locations lost
///         or wanted that are out of range or named twice.
SiteSets site_sets(const Code& code, std::span<const std::vector<std::size_t>> sites,
                   std::span<const std::size_t> lost, std::span<const std::size_t> wanted);

/// Tries sets of sites that include the home, small sets first, until sets of one size suffice. Of
/// that size it tries until kMostSiteSets suffice. A trial gets the locations that are then out of
/// reach: the surviving locations of the other sites, ascending. It returns whether the wanted
/// cells can be rebuilt.
///
/// The answer is whether any set suffices.
inline constexpr std::size_t kMostSiteSets = 64;
bool try_fewest_sites(
    const SiteSets& sites,
    const std::function<bool(const std::vector<std::size_t>& out_of_reach)>& does);

}  // namespace xorloom
