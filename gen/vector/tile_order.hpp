#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// Fuses equations of `program` for the machine's instructions, which add two or three operands.
Program fused(const Program& program, const MachineFacts& machine);

/// Returns the tile of an XOR program, fused for the machine's instructions and ordered greedily or
/// by a search, as `budget` has it; proved. Bands of a program, which share nothing but inputs,
/// follow one another in greedy orders. For AVX-512 a search interleaves them if one kernel holds
/// them all. A program with too many equations for machine code is only fused, and unproved: it is
/// never lowered.
///
/// Shape: `window`: number of inputs of a window, see greedy_steps.
Program ordered_tile(const Program& program, const MachineFacts& machine, const Budget& budget,
                     std::size_t window = 0);

/// Cost of one loop iteration of `program` in greedy order; used to choose among equivalent
/// programs.
///
/// Cost: that of greedy_steps.
std::size_t greedy_price(const Program& program, const MachineFacts& machine,
                         std::size_t window = 0);

/// Fewest outputs of a band. Smaller bands are joined even if they share nothing.
inline constexpr std::size_t kFewestOutputsOfBand = 16;

/// Orders the equations of a tile band by band; equations of a band keep their order. Equations
/// that share temporaries, directly or through others, are of one band. Bands of fewer than
/// kFewestOutputsOfBand outputs are joined with the next. A search interleaves bands
/// (ordered_tile), so that inputs are read less often: a caller that needs one band after the other
/// calls this first.
///
///     before   a0 b0 a1 a2 b1 b2
///     after    a0 a1 a2 b0 b1 b2
EquationOrder order_by_bands(const Program& tile);

}  // namespace xorloom
