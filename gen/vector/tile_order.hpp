#pragma once

#include <cstddef>

#include "equations/ir/dense_program.hpp"
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
/// Shape: `window`: inputs that are read before the next are, see greedy_steps.
Program ordered_tile(const Program& program, const MachineFacts& machine, const Budget& budget,
                     std::size_t window = 0);

/// Cost of one loop iteration of `program` in greedy order; used to choose among equivalent
/// programs.
///
/// Cost: that of greedy_steps.
std::size_t greedy_price(const Program& program, const MachineFacts& machine,
                         std::size_t window = 0);

}  // namespace xorloom
