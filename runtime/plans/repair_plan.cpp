#include "runtime/plans/repair_plan.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "codes/bits.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/reads/site_sets.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {
namespace {

/// The wanted cells, ascending, in a code with `cells_of_chunk` cells per location.
std::vector<Cell> wanted_cells(const Code& code, const Repair& repair, std::size_t cells_of_chunk) {
  const std::vector<std::size_t>& wanted = repair.wanted.empty() ? repair.erased : repair.wanted;
  if (!repair.units.empty() && repair.units.size() != wanted.size()) {
    fail(Status::kInvalidArgument, "units are given for {} locations, but {} locations are wanted",
         repair.units.size(), wanted.size());
  }
  const std::size_t units = units_of_chunk(code);
  const std::vector<bool> is_lost = location_flags(code, repair.erased, "lost");
  static_cast<void>(wanted_flags(code, wanted, repair.erased, is_lost));
  std::set<Cell> cells;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::vector<bool> is_named(units);
    const auto add = [&](std::size_t unit) {
      if (unit >= units) {
        fail(Status::kInvalidArgument, "unit {} of location {} is not one of 0 to {}", unit,
             wanted[i], units - 1);
      }
      if (is_named[unit]) {
        fail(Status::kInvalidArgument, "unit {} of location {} is named twice", unit, wanted[i]);
      }
      is_named[unit] = true;
      cells.insert(static_cast<Cell>(wanted[i] * cells_of_chunk + unit * cells_of_chunk / units));
    };
    if (repair.units.empty()) {
      for (std::size_t unit = 0; unit < units; ++unit) add(unit);
    } else {
      for (const std::uint32_t unit : repair.units[i]) add(unit);
    }
  }
  return {cells.begin(), cells.end()};
}

/// True if the code is MDS: any chunks that hold as many cells as the data rebuild the others.
bool is_mds(const Code& code) {
  return code.data.size() + code.promised_losses * code.subchunks == code.num_cells();
}

}  // namespace

bool are_survivors_alike(const Code& code, const Repair& repair) {
  return code.subchunks == 1 && is_mds(code) && repair.whole_chunks && repair.units.empty() &&
         repair.read_costs.empty();
}

Code repaired_cells(const Code& code, const Repair& repair) {
  return repair.whole_chunks ? code : readable(code);
}

ReadRequest read_request(const Code& cells, const Repair& repair, const PlanOptions& options) {
  return {.lost = repair.erased,
          .wanted = wanted_cells(cells, repair, cells.subchunks),
          .costs = repair.read_costs,
          .at_hand = repair.at_hand,
          .whole_locations = repair.whole_chunks && cells.subchunks > 1,
          .work = is_more(options.effort, Effort::kQuick) ? kUsualReadWork << 6 : kUsualReadWork};
}

Plan make_repair_plan(const Code& code, const Repair& repair, const PlanOptions& options) {
  const Code cells = repaired_cells(code, repair);
  const ReadRequest request = read_request(cells, repair, options);
  if (request.wanted.empty()) fail(Status::kInvalidArgument, "no unit is wanted");
  return make_plan(cells, fewest_reads(cells, request).map, options);
}

LinearMap in_memory_map(const Code& code, std::span<const std::size_t> lost,
                        std::span<const std::size_t> wanted, std::uint64_t work) {
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  const bool may_read_all = code.subchunks == 1 || (is_packets && work == 0);
  if (lost.empty() || (may_read_all && is_mds(code))) return decoding_map(code, lost, wanted);
  const Repair repair{.erased = {lost.begin(), lost.end()},
                      .wanted = {wanted.begin(), wanted.end()}};
  Reads reads = fewest_reads(
      code,
      {.lost = repair.erased, .wanted = wanted_cells(code, repair, code.subchunks), .work = work});
  if (!is_packets) return std::move(reads.map);
  LinearMap map = decoding_map(code, lost, wanted);
  const bool is_better = reads.map.inputs.size() < map.inputs.size() &&
                         direct_xors(code, reads.map) <= direct_xors(code, map);
  return is_better ? std::move(reads.map) : std::move(map);
}

namespace {

using Locations = std::vector<std::size_t>;

/// The columns of `whole` whose inputs are at `site`, and the rows that are not zero in them.
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

/// The cells to read, and the part of their map at each site. A site whose part has no outputs is
/// left out of the repair.
struct Choice {
  Reads reads;
  std::vector<LinearMap> parts;
  std::size_t sent = 0;  ///< cells sent to the home site
};

Choice choice_of(const Code& code, const SiteSets& sites, Reads reads) {
  Choice choice{std::move(reads), {}, 0};
  for (std::size_t site = 0; site < sites.num_sites; ++site) {
    choice.parts.push_back(part_of(code, choice.reads.map, sites.site_of, site));
    if (site != sites.home) choice.sent += choice.parts.back().outputs.size();
  }
  return choice;
}

/// The fewest reads; nullopt if the wanted cells cannot be rebuilt.
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
    return choice_of(code, sites, fewest_reads(code, request));  // throws: says what is lost
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
