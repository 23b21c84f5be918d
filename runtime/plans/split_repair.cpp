#include "runtime/plans/split_repair.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/program.hpp"
#include "equations/reads/fewest_reads.hpp"
#include "equations/reads/site_sets.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/repair_plan.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// The columns of a map whose inputs are at a site, and the rows that are not zero there.
LinearMap part_of(const Code& code, const LinearMap& whole, const Locations& site_of,
                  std::size_t site) {
  LinearMap part;
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < whole.inputs.size(); ++i) {
    if (site_of[code.location_of_cell(whole.inputs[i])] != site) continue;
    columns.push_back(i);
    part.inputs.push_back(whole.inputs[i]);
  }
  std::vector<std::size_t> rows;
  for (std::size_t o = 0; o < whole.outputs.size(); ++o) {
    if (std::ranges::none_of(columns, [&](auto i) { return whole.coefficients(o, i) != 0; })) {
      continue;
    }
    rows.push_back(o);
    part.outputs.push_back(whole.outputs[o]);
  }
  part.coefficients = Matrix(rows.size(), columns.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      part.coefficients(r, c) = whole.coefficients(rows[r], columns[c]);
    }
  }
  return part;
}

/// A choice of what is read, and what each site has of it: nothing, where its part has no outputs.
struct Choice {
  Reads reads;
  std::vector<LinearMap> parts;
  std::size_t sent = 0;  ///< cells that go to the home
};

Choice choice_of(const Code& code, const SiteSets& sites, Reads reads) {
  Choice choice{std::move(reads), {}, 0};
  for (std::size_t site = 0; site < sites.num_sites; ++site) {
    choice.parts.push_back(part_of(code, choice.reads.map, sites.site_of, site));
    if (site != sites.home) choice.sent += choice.parts.back().outputs.size();
  }
  return choice;
}

/// None if what is wanted cannot be rebuilt.
std::optional<Reads> reads_if_any(const Code& code, const ReadRequest& request) try {
  return fewest_reads(code, request);
} catch (const Error& error) {
  if (error.kind() != Status::kDamaged) throw;
  return std::nullopt;
}

Choice best_choice(const Code& code, const SiteSets& sites, const ReadRequest& request) {
  std::optional<Choice> best;
  const auto does = [&](const Locations& out_of_reach) {
    ReadRequest within = request;
    within.lost.insert(within.lost.end(), out_of_reach.begin(), out_of_reach.end());
    std::erase_if(within.at_hand, [&](std::size_t location) {
      return std::ranges::binary_search(out_of_reach, location);
    });
    std::optional<Reads> reads = reads_if_any(code, within);
    if (!reads) return false;
    Choice choice = choice_of(code, sites, *std::move(reads));
    const auto is_better = [&] {
      return choice.sent != best->sent ? choice.sent < best->sent
                                       : choice.reads.cost < best->reads.cost;
    };
    if (!best || is_better()) best = std::move(choice);
    return true;
  };
  if (!try_fewest_sites(sites, does)) {
    return choice_of(code, sites, fewest_reads(code, request));  // says what is lost
  }
  return *std::move(best);
}

std::size_t units_of(const Plan& plan, const Locations& locations,
                     std::span<const std::uint32_t> (Plan::*units)(std::size_t) const noexcept) {
  std::size_t sum = 0;
  for (const std::size_t location : locations) sum += (plan.*units)(location).size();
  return sum;
}

}  // namespace

SplitRepair make_split_repair(const Code& code, const Repair& repair,
                              std::span<const std::vector<std::size_t>> sites,
                              const PlanOptions& options) {
  const Locations& wanted = repair.wanted.empty() ? repair.erased : repair.wanted;
  const SiteSets sets = site_sets(code, sites, repair.erased, wanted);
  static_cast<void>(location_flags(code, repair.at_hand, "at hand"));
  const Code cells = repaired_cells(code, repair);
  const ReadRequest request = read_request(cells, repair, options);
  if (request.wanted.empty()) fail(Status::kInvalidArgument, "no unit is wanted");
  Choice choice = best_choice(cells, sets, request);

  SplitRepair split;
  split.home = sets.home;
  Locations numbers;
  std::vector<LinearMap> parts;
  for (std::size_t site = 0; site < sets.num_sites; ++site) {
    if (choice.parts[site].outputs.empty()) continue;
    numbers.push_back(site);
    parts.push_back(std::move(choice.parts[site]));
  }
  std::vector<Plan> plans = make_part_plans(cells, choice.reads.map, parts, options);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const std::size_t read = units_of(plans[i], plans[i].reads(), &Plan::units_read);
    const std::size_t sent = units_of(plans[i], plans[i].writes(), &Plan::units_written);
    split.sites.push_back({numbers[i], std::move(plans[i]), read, sent});
  }
  return split;
}

}  // namespace xorloom
