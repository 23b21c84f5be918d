#pragma once

#include <cstddef>

#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

/// About the cycles that a core loads, stores and waits for the second cache in a tile whose
/// streams all begin at the same place of a page. It fits kernels of seven codes, each by groups of
/// streams and not, on Zen 4: a load of 64 bytes takes a cycle there, a store takes two, and so
/// does a line that comes from the second cache.
///
/// A set gives up the line that was not touched for the longest time.
std::size_t crowded_price(const InstructionSchedule& schedule, const TilePlaces& places,
                          const MachineFacts& machine);

}  // namespace xorloom
