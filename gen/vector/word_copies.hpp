#pragma once

#include <cstddef>

#include "equations/ir/dense_program.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// Several tiles of a program over symbols side by side, in the order that takes the machine the
/// least time by an estimate. Compared are the order of word_tile and greedy ones, by rows and by
/// blocks. In these a sum grows as soon as there is something to add, so that registers are left to
/// matrices: a matrix in memory takes a load for each product.
///
/// Copies follow one another. Where values of a copy wait for each other for longer than it takes
/// to compute it, and it costs no cycle, a copy begins before the one before it ends: a core can
/// multiply in one while it waits in another.
Program copies_of(const Program& program, std::size_t copies, const MachineFacts& machine);

}  // namespace xorloom
