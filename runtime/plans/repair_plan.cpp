#include "runtime/plans/repair_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "codes/bits.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/reads/fewest_reads.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {
namespace {

/// The cells that hold what is wanted, in a code of `cells_of_chunk` cells in each location.
std::vector<Cell> wanted_cells(const Code& code, const Repair& repair, std::size_t cells_of_chunk) {
  const std::vector<std::size_t>& wanted = repair.wanted.empty() ? repair.erased : repair.wanted;
  if (!repair.units.empty() && repair.units.size() != wanted.size()) {
    fail(Status::kInvalidArgument,
         fmt::format("units are given for {} locations, but {} locations are wanted",
                     repair.units.size(), wanted.size()));
  }
  const std::size_t units = units_of_chunk(code);
  const std::vector<bool> is_lost = location_flags(code, repair.erased, "lost");
  static_cast<void>(location_flags(code, wanted, "wanted"));
  std::set<Cell> cells;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!is_lost[wanted[i]]) {
      fail(Status::kInvalidArgument,
           fmt::format("wanted location {} is not one of the lost locations {}", wanted[i],
                       set_text(repair.erased)));
    }
    std::vector<bool> is_named(units);
    const auto add = [&](std::size_t unit) {
      if (unit >= units) {
        fail(Status::kInvalidArgument, fmt::format("unit {} of location {} is not one of 0 to {}",
                                                   unit, wanted[i], units - 1));
      }
      if (is_named[unit]) {
        fail(Status::kInvalidArgument,
             fmt::format("unit {} of location {} is named twice", unit, wanted[i]));
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

/// True if any chunks that hold as much as the data suffice to rebuild the others.
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

}  // namespace xorloom
