#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

// Schedules for streams that all begin at the same offset of a page.
//
// The lines of all streams at one offset then compete for the ways of one set of L1, and a line
// that is read again has been evicted. So inputs are read in place only while their lines fit the
// set, and these lines alone are prefetched. Any other input line is touched at one point only:
// there, its vectors that are read again are copied to slots on the stack, which lie in other sets.
// Vectors of one line of output are stored together.
//
//     line of input     | v0 | v1 |      load v1, store slot; load v0, store slot; … read slots
//     line of output    | o0 | o1 |      store slot; … store o1; load slot, store o0

/// Turns `given` into such a schedule. nullopt if that gains nothing: if no set has more lines than
/// ways, if a set has several lines of one stream, or if slots would take more than half of L1.
///
/// Shape: the given schedule does not read outputs again (outputs_are_read_again of
///        assign_registers).
std::optional<InstructionSchedule> crowded_schedule(const InstructionSchedule& given,
                                                    const TilePlaces& places,
                                                    const MachineFacts& machine);

/// Such a schedule of an XOR program's tile that reads inputs group by group: see StreamGroups.
/// Only the lines of one group are then read again, and these fit a set. `shares_anew`: see
/// grouped_tile.
///
/// nullopt as for crowded_schedule(), and if a line has several vectors, if there are no groups, or
/// if there is one band and sums are shared as given: groups then add more work than they save.
std::optional<InstructionSchedule> grouped_schedule(const Program& tile, const TilePlaces& places,
                                                    const MachineFacts& machine, bool shares_anew);

/// Approximate cycles of a core for the loads, the stores and the L1 misses of a tile. All streams
/// begin at the same offset of a page. A set evicts its least recently used line. Fitted on Zen 4
/// to kernels of seven codes, each with and without groups of streams: a load of 64 bytes takes a
/// cycle, a store two, and a line from L2 two.
std::size_t crowded_price(const InstructionSchedule& schedule, const TilePlaces& places,
                          const MachineFacts& machine);

/// Both schedules of a tile, in the order in which to try them: the grouped one, then that of
/// crowded_schedule(). The grouped one is left out if it is more expensive. If sums are
/// shared as given, prices are not compared: groups were cheaper in every case that was tried.
///
/// Shape: past_caches is the tile's schedule that does not read outputs again.
std::vector<InstructionSchedule> crowded_schedules(const Program& tile, const TilePlaces& places,
                                                   const InstructionSchedule& past_caches,
                                                   const MachineFacts& machine, bool shares_anew);

}  // namespace xorloom
