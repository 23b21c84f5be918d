#pragma once

#include <cstddef>

#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

/// Approximate cycles of a core for the loads, the stores and the L1 misses of a tile. All streams
/// begin at the same offset of a page. A set evicts its least recently used line. Fitted on Zen 4
/// to kernels of seven codes, each with and without groups of streams: a load of 64 bytes takes a
/// cycle, a store two, and a line from L2 two.
std::size_t crowded_price(const InstructionSchedule& schedule, const TilePlaces& places,
                          const MachineFacts& machine);

}  // namespace xorloom
