#include "equations/request/split_equations.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "codes/linear_map.hpp"
#include "equations/build/pieces.hpp"
#include "equations/ir/operands.hpp"
#include "equations/reads/site_sets.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// The element of a join for sum `index` of a site; for site == number of sites, rebuilt element
/// `index`.
Element joined(const Program& join, std::size_t site, std::size_t index) {
  return static_cast<Element>(site * join.rows + index);
}

Program join_of(const Program& whole, std::span<const SplitEquations::Site> sites) {
  Program join;
  join.locations = sites.size() + 1;
  join.rows = whole.outputs.size();
  join.field = whole.field;
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

SplitEquations split_equations(const Code& code, const Request& request,
                               std::span<const std::vector<std::size_t>> sites) {
  const Locations& wanted = request.wanted.empty() ? request.erased : request.wanted;
  static_cast<void>(
      wanted_flags(code, wanted, request.erased, location_flags(code, request.erased, "lost")));
  const SiteSets sets = site_sets(code, sites, request.erased, wanted);
  std::optional<SplitEquations> best;
  const auto does = [&](const Locations& out_of_reach) {
    Request part = request;
    part.wanted = wanted;
    part.erased.insert(part.erased.end(), out_of_reach.begin(), out_of_reach.end());
    if (!recovery_map(code, part.erased, part.wanted)) return false;
    const Program whole = direct_program(code, part);
    SplitEquations found;
    found.home = sets.home;
    Locations site_of(whole.end_of_elements(), kNone);
    for (const Element input : whole.inputs) site_of[input] = sets.site_of[input / whole.rows];
    std::vector<Program> parts = cut_by_inputs(whole, site_of, sites.size());
    for (std::size_t site = 0; site < sites.size(); ++site) {
      Locations locations = sites[site];
      std::ranges::sort(locations);
      found.sites.push_back({std::move(locations), std::move(parts[site])});
      if (site == found.home) continue;
      found.sent += cells_read(code, request.over, found.sites.back().program.outputs).size();
      found.unsummed += cells_read(code, request.over, found.sites.back().program.inputs).size();
    }
    found.join = join_of(whole, found.sites);
    found.rebuilt = cells_read(code, request.over, whole.outputs).size();
    if (!best || found.sent < best->sent) best = std::move(found);
    return true;
  };
  if (!try_fewest_sites(sets, does)) {
    static_cast<void>(direct_program(code, request));  // throws with the lost locations
  }
  return *std::move(best);
}

Program whole_program(const Code& code, const SplitEquations& split) {
  Program whole;
  whole.locations = code.locations;
  whole.rows = split.sites.front().program.rows;
  whole.field = split.join.field;
  // Sums of sites become temporaries, and so do temporaries of sites.
  Element next = whole.num_cells();
  std::vector<Element> number_of_sum(split.join.end_of_elements(), 0);
  std::vector<Element> targets;
  for (const SplitEquations::Site& site : split.sites) {
    targets.insert(targets.end(), site.program.outputs.begin(), site.program.outputs.end());
  }
  std::ranges::sort(targets);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  whole.outputs = targets;
  for (std::size_t s = 0; s < split.sites.size(); ++s) {
    const Program& site = split.sites[s].program;
    whole.inputs.insert(whole.inputs.end(), site.inputs.begin(), site.inputs.end());
    ElementNames names = own_names(site.end_of_elements(), site.num_cells());
    for (const Equation& equation : site.equations) names[equation.target] = kUnnamed;
    for (const Equation& equation : site.equations) {
      whole.equations.push_back(renamed(equation, names, next));
      const auto sum = std::ranges::find(targets, equation.target);
      if (sum == targets.end()) continue;
      const auto index = static_cast<std::size_t>(sum - targets.begin());
      number_of_sum[joined(split.join, s, index)] = names[equation.target];
    }
  }
  for (std::size_t index = 0; index < split.join.equations.size(); ++index) {
    Equation equation{targets[index], {}};
    for (const Element sum : split.join.equations[index].operands) {
      equation.operands.push_back(number_of_sum[sum]);
    }
    whole.equations.push_back(std::move(equation));
  }
  std::ranges::sort(whole.inputs);
  sort_equations(whole);
  return whole;
}

}  // namespace xorloom
