#include "equations/split_repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "codes/error.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// By location, its site.
Locations sites_of(const Code& code, std::span<const Locations> sites) {
  if (sites.size() > kMostSites) {
    fail(Status::kInvalidArgument,
         fmt::format("{} groups of locations exceed {}", sites.size(), kMostSites));
  }
  Locations site_of(code.locations, kNone);
  for (std::size_t site = 0; site < sites.size(); ++site) {
    if (sites[site].empty()) {
      fail(Status::kInvalidArgument, fmt::format("group {} has no locations", site));
    }
    for (const std::size_t location : sites[site]) {
      if (location >= code.locations) {
        fail(Status::kInvalidArgument, fmt::format("location {} of group {} is not one of 0 to {}",
                                                   location, site, code.locations - 1));
      }
      if (site_of[location] != kNone) {
        fail(Status::kInvalidArgument,
             fmt::format("location {} is in groups {} and {}", location, site_of[location], site));
      }
      site_of[location] = site;
    }
  }
  const auto without = std::ranges::find(site_of, kNone);
  if (without != site_of.end()) {
    fail(Status::kInvalidArgument,
         fmt::format("location {} is in no group", without - site_of.begin()));
  }
  return site_of;
}

/// The same request where all other sites' locations are out of reach: lost, and not wanted.
Request from_sites(const Code& code, const Request& request, const Locations& site_of,
                   std::uint32_t sites) {
  Request part = request;
  if (part.wanted.empty()) part.wanted = request.erased;
  for (std::size_t location = 0; location < code.locations; ++location) {
    const bool is_lost = std::ranges::find(request.erased, location) != request.erased.end();
    if ((sites >> site_of[location] & 1) == 0 && !is_lost) part.erased.push_back(location);
  }
  return part;
}

/// Sets of sites with the home among them, small ones first.
std::vector<std::uint32_t> sets_with(std::size_t home, std::size_t num_sites) {
  std::vector<std::uint32_t> sets;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << num_sites; ++set) {
    if ((set >> home & 1) != 0) sets.push_back(set);
  }
  std::ranges::stable_sort(sets, {}, [](std::uint32_t set) { return std::popcount(set); });
  return sets;
}

std::size_t rows_of_cell(const Code& code) {
  return code.arrangement == Arrangement::kPacket ? 1 : code.field.w();
}

std::size_t cells(const Code& code, const std::vector<Element>& elements) {
  std::set<std::size_t> result;
  for (const Element element : elements) result.insert(element / rows_of_cell(code));
  return result.size();
}

/// A site's part of a program: of each equation the operands that lie there.
Program part_of(const Program& whole, const Locations& site_of, std::size_t site) {
  Program part;
  part.locations = whole.locations;
  part.rows = whole.rows;
  const auto is_here = [&](Element e) { return site_of[e / whole.rows] == site; };
  std::ranges::copy_if(whole.inputs, std::back_inserter(part.inputs), is_here);
  for (const Equation& equation : whole.equations) {
    Equation here{equation.target, {}};
    std::ranges::copy_if(equation.operands, std::back_inserter(here.operands), is_here);
    if (here.operands.empty()) continue;
    part.outputs.push_back(here.target);
    part.equations.push_back(std::move(here));
  }
  return part;
}

/// What a join calls the sums of a site, or past the sites what is rebuilt.
Element joined(const Program& join, std::size_t site, std::size_t index) {
  return static_cast<Element>(site * join.rows + index);
}

Program join_of(const Program& whole, std::span<const SplitRepair::Site> sites) {
  Program join;
  join.locations = sites.size() + 1;
  join.rows = whole.outputs.size();
  for (std::size_t index = 0; index < whole.outputs.size(); ++index) {
    const Element target = joined(join, sites.size(), index);
    join.outputs.push_back(target);
    join.equations.push_back({target, {}});
  }
  for (std::size_t site = 0; site < sites.size(); ++site) {
    for (std::size_t index = 0; index < whole.outputs.size(); ++index) {
      const std::vector<Element>& sums = sites[site].program.outputs;
      if (std::ranges::find(sums, whole.outputs[index]) == sums.end()) continue;
      join.inputs.push_back(joined(join, site, index));
      join.equations[index].operands.push_back(join.inputs.back());
    }
  }
  return join;
}

}  // namespace

SplitRepair split_repair(const Code& code, const Request& request,
                         std::span<const std::vector<std::size_t>> sites) {
  const Locations site_of = sites_of(code, sites);
  if (request.erased.empty()) {
    fail(Status::kInvalidArgument, "groups split a repair, and nothing is lost");
  }
  const Locations& wanted = request.wanted.empty() ? request.erased : request.wanted;
  static_cast<void>(location_flags(code, request.erased, "lost"));
  static_cast<void>(location_flags(code, wanted, "wanted"));
  SplitRepair split;
  split.home = site_of[*std::ranges::min_element(wanted)];

  std::optional<SplitRepair> best;
  int sites_of_best = 0;
  for (const std::uint32_t set : sets_with(split.home, sites.size())) {
    if (best && std::popcount(set) > sites_of_best) break;
    const Request part = from_sites(code, request, site_of, set);
    if (!recovery_map(code, part.erased, part.wanted)) continue;
    const Program whole = direct_program(code, part);
    SplitRepair found = split;
    for (std::size_t site = 0; site < sites.size(); ++site) {
      Locations locations = sites[site];
      std::ranges::sort(locations);
      found.sites.push_back({std::move(locations), part_of(whole, site_of, site)});
      if (site == split.home) continue;
      found.sent += cells(code, found.sites.back().program.outputs);
      found.unsummed += cells(code, found.sites.back().program.inputs);
    }
    found.join = join_of(whole, found.sites);
    found.rebuilt = cells(code, whole.outputs);
    sites_of_best = std::popcount(set);
    if (!best || found.sent < best->sent) best = std::move(found);
  }
  if (!best) static_cast<void>(direct_program(code, request));  // says what is lost
  return *std::move(best);
}

Program whole_program(const Code& code, const SplitRepair& split) {
  Program whole;
  whole.locations = code.locations;
  whole.rows = code.rows();
  // Sums are temporaries here, and so is what a site has beside them.
  Element next = whole.num_cells();
  std::vector<Element> number_of_sum(split.join.end_of_elements(), 0);
  std::vector<Element> targets;
  for (const SplitRepair::Site& site : split.sites) {
    targets.insert(targets.end(), site.program.outputs.begin(), site.program.outputs.end());
  }
  std::ranges::sort(targets);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  whole.outputs = targets;
  for (std::size_t s = 0; s < split.sites.size(); ++s) {
    const Program& site = split.sites[s].program;
    whole.inputs.insert(whole.inputs.end(), site.inputs.begin(), site.inputs.end());
    std::vector<Element> renamed(site.end_of_elements());
    std::iota(renamed.begin(), renamed.end(), Element{0});
    for (const Equation& equation : site.equations) {
      renamed[equation.target] = next++;
      const auto sum = std::ranges::find(targets, equation.target);
      if (sum != targets.end()) {
        const auto index = static_cast<std::size_t>(sum - targets.begin());
        number_of_sum[joined(split.join, s, index)] = renamed[equation.target];
      }
      Equation copy{renamed[equation.target], {}};
      for (const Element operand : equation.operands) copy.operands.push_back(renamed[operand]);
      whole.equations.push_back(std::move(copy));
    }
  }
  for (std::size_t index = 0; index < split.join.equations.size(); ++index) {
    Equation equation{targets[index], {}};
    for (const Element operand : split.join.equations[index].operands) {
      equation.operands.push_back(number_of_sum[operand]);
    }
    whole.equations.push_back(std::move(equation));
  }
  std::ranges::sort(whole.inputs);
  sort_equations(whole);
  return whole;
}

}  // namespace xorloom
