#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// Returns copies of the tile of a program over symbols, in the order with the lowest estimated
/// time. Compared are the order of word_tile and greedy ones, by rows and by blocks. In greedy
/// orders a sum grows as soon as there is something to add, so that registers are left to matrices:
/// a matrix in memory takes a load for each product.
///
/// Copies follow one another. But a copy may begin before the one before it ends, so that a core
/// can multiply in one while it waits in another. This happens if values of a copy wait for each
/// other for longer than the copy takes to compute, and if it costs no cycle.
Program copies_of(const Program& program, std::size_t copies, const MachineFacts& machine);

}  // namespace xorloom
