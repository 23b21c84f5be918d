#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "equations/ir/dense_program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

/// A schedule for streams that all begin at the same place of a page, and what it prefetches.
///
/// Then the lines of all streams at one offset compete for the ways of one set, and a line that is
/// read again is no longer there. So some inputs of a set stay as they are, as many as fit, and of
/// the others a line is touched at one place alone: all its vectors that are read again go to slots
/// on the stack, which other sets hold. Vectors of one line of output are stored together.
///
///     line of input     | v0 | v1 |      load v1, store slot; load v0, store slot; … read slots
///     line of output    | o0 | o1 |      store slot; … store o1; load slot, store o0
struct CrowdedSchedule {
  InstructionSchedule schedule;
  std::vector<TilePlaces::Place> prefetched;  ///< where lines begin: of the inputs that stay
};

/// Such a schedule, or none where it gains nothing: if the lines of no set exceed its ways, if the
/// lines of one stream alone compete, or if slots would take more than half of
/// the first cache.
///
/// Shape: the given schedule does not read outputs again (outputs_are_read_again of
///        assign_registers).
std::optional<CrowdedSchedule> crowded_schedule(const InstructionSchedule& given,
                                                const TilePlaces& places,
                                                const MachineFacts& machine);

/// A schedule of an XOR program's tile for such streams that reads inputs group by group: see
/// StreamGroups. Then only the lines of one group are read again, and those fit a set.
/// `shares_anew`: see grouped_tile.
///
/// None if a line has several vectors, if there are no groups, if there is one band
/// whose sums are shared as given, which groups make longer than they gain, and as above.
std::optional<CrowdedSchedule> grouped_schedule(const Program& tile, const TilePlaces& places,
                                                const MachineFacts& machine, bool shares_anew);

/// About the cycles that a core loads, stores and waits for the second cache in a tile whose
/// streams all begin at the same place of a page. It fits kernels of seven codes, each by groups of
/// streams and not, on Zen 4: a load of 64 bytes takes a cycle there, a store takes two, and so
/// does a line that comes from the second cache.
///
/// A set gives up the line that was not touched for the longest time.
std::size_t crowded_price(const InstructionSchedule& schedule, const TilePlaces& places,
                          const MachineFacts& machine);

/// Both schedules of a tile, as far as there are some, the one to take first: by groups if it is
/// the cheaper one, else the other alone. If sums are shared as given, prices are not compared:
/// groups were cheaper in every case that was tried.
///
/// Shape: past_caches is the tile's schedule that does not read outputs again.
std::vector<CrowdedSchedule> crowded_schedules(const Program& tile, const TilePlaces& places,
                                               const InstructionSchedule& past_caches,
                                               const MachineFacts& machine, bool shares_anew);

}  // namespace xorloom
