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
/// Errors: throws kInvalidArgument for more than kMostSites, a site without locations, a location that is
///         at no site or at two, or out of range; where nothing is lost; for locations lost or wanted
///         that are out of range or named twice.
SiteSets site_sets(const Code& code, std::span<const std::vector<std::size_t>> sites,
                   std::span<const std::size_t> lost, std::span<const std::size_t> wanted);

/// Tries sets of sites with the home among them, small ones first, until sets of one size were found to
/// do; of that size so many are tried that kMostSiteSets do. To try one is to be given the locations that are out of reach then,
/// those of the other sites that are not lost, ascending; and to say whether what is wanted can be rebuilt.
///
/// The answer is whether any set does.
inline constexpr std::size_t kMostSiteSets = 64;
bool try_fewest_sites(
    const SiteSets& sites,
    const std::function<bool(const std::vector<std::size_t>& out_of_reach)>& does);

}  // namespace xorloom
