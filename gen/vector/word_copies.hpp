#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/tile_program.hpp"

namespace xorloom {

/// Several tiles of a program over symbols side by side, as what takes the machine the least time by
/// an estimate: in the order of tile_of, or in greedy orders, by rows or by blocks. Sums of these
/// grow as soon as there is something to add, so that they leave registers to matrices: a matrix
/// that is in memory takes a load for each product.
///
/// Copies follow one another. Where values of a copy wait for each other for longer than it takes to
/// compute it, a copy begins before the one before it ends, or with it, so that a core can multiply
/// in one while it waits in another.
TileProgram copies_of(const Program& program, std::size_t copies, const VectorMachine& machine);

}  // namespace xorloom
