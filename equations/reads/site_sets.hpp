#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// Locations of a code by site, such as racks. A repair is made at one of the sites, its home.
struct SiteSets {
  std::vector<std::size_t> site_of;  ///< by location
  std::vector<std::size_t> lost;
  std::size_t num_sites = 0;
  std::size_t home = 0;             ///< site of the first wanted location
  std::size_t least_locations = 0;  ///< no repair works with fewer locations in reach
};

inline constexpr std::size_t kMostSites = 16;

/// Shape:  sites: locations of each site; every location is at one site. `wanted` is a part of
///         `lost`.
/// Errors: throws kInvalidArgument for more than kMostSites, a site without locations, a location
///         that is at no site or at two, or out of range; if nothing is lost; for lost or wanted
///         locations that are out of range or named twice.
SiteSets site_sets(const Code& code, std::span<const std::vector<std::size_t>> sites,
                   std::span<const std::size_t> lost, std::span<const std::size_t> wanted);

/// Tries sets of sites that include the home, small sets first, up to the first size of which a set
/// suffices. Of that size, ends after kMostSiteSets sets that suffice. `does` gets the locations
/// out of reach (the surviving locations of the other sites, ascending) and returns true if the
/// wanted cells can be rebuilt.
///
/// Returns true if any set suffices.
inline constexpr std::size_t kMostSiteSets = 64;
bool try_fewest_sites(
    const SiteSets& sites,
    const std::function<bool(const std::vector<std::size_t>& out_of_reach)>& does);

}  // namespace xorloom
