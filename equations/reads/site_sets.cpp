#include "equations/reads/site_sets.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/program.hpp"
#include "equations/reads/read_bound.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// By location: its site.
Locations sites_of(const Code& code, std::span<const Locations> sites) {
  if (sites.size() > kMostSites) {
    fail(Status::kInvalidArgument, "{} groups of locations exceed {}", sites.size(), kMostSites);
  }
  Locations site_of(code.locations, kNone);
  for (std::size_t site = 0; site < sites.size(); ++site) {
    if (sites[site].empty()) {
      fail(Status::kInvalidArgument, "group {} has no locations", site);
    }
    for (const std::size_t location : sites[site]) {
      if (location >= code.locations) {
        fail(Status::kInvalidArgument, "location {} of group {} is not one of 0 to {}", location,
             site, code.locations - 1);
      }
      if (site_of[location] != kNone) {
        fail(Status::kInvalidArgument, "location {} is in groups {} and {}", location,
             site_of[location], site);
      }
      site_of[location] = site;
    }
  }
  const auto without = std::ranges::find(site_of, kNone);
  if (without != site_of.end()) {
    fail(Status::kInvalidArgument, "location {} is in no group", without - site_of.begin());
  }
  return site_of;
}

/// Sets of sites that contain `home`, small sets first.
std::vector<std::uint32_t> sets_with(std::size_t home, std::size_t num_sites) {
  std::vector<std::uint32_t> sets;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << num_sites; ++set) {
    if ((set >> home & 1) != 0) sets.push_back(set);
  }
  std::ranges::stable_sort(sets, {}, [](std::uint32_t set) { return std::popcount(set); });
  return sets;
}

}  // namespace

SiteSets site_sets(const Code& code, std::span<const std::vector<std::size_t>> sites,
                   std::span<const std::size_t> lost, std::span<const std::size_t> wanted) {
  SiteSets result;
  result.site_of = sites_of(code, sites);
  if (lost.empty()) {
    fail(Status::kInvalidArgument, "groups split a repair, but nothing is lost");
  }
  static_cast<void>(location_flags(code, lost, "lost"));
  static_cast<void>(location_flags(code, wanted, "wanted"));
  result.lost.assign(lost.begin(), lost.end());
  result.num_sites = sites.size();
  if (is_proved_mds(code)) result.least_locations = code.locations - code.promised_losses;
  result.home = result.site_of[*std::ranges::min_element(wanted)];
  return result;
}

bool try_fewest_sites(const SiteSets& sites,
                      const std::function<bool(const Locations& out_of_reach)>& does) {
  int size_that_does = 0;
  std::size_t num_that_do = 0;
  for (const std::uint32_t set : sets_with(sites.home, sites.num_sites)) {
    if (size_that_does != 0 && std::popcount(set) > size_that_does) break;
    Locations out_of_reach;
    for (std::size_t location = 0; location < sites.site_of.size(); ++location) {
      if ((set >> sites.site_of[location] & 1) != 0) continue;
      const bool is_lost = std::ranges::find(sites.lost, location) != sites.lost.end();
      if (!is_lost) out_of_reach.push_back(location);
    }
    const std::size_t in_reach = sites.site_of.size() - sites.lost.size() - out_of_reach.size();
    if (in_reach < sites.least_locations || !does(out_of_reach)) continue;
    size_that_does = std::popcount(set);
    if (++num_that_do == kMostSiteSets) break;
  }
  return size_that_does != 0;
}

}  // namespace xorloom
