#pragma once

#include <cstddef>

#include "equations/ir/dense_program.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// The program with its temporaries as the machine's instructions want them.
Program fused(const Program& program, const MachineFacts& machine);

/// The tile of an XOR program as a machine is to compute it: fused for its instructions and in an
/// order that is greedy, or that a search was spent on; all of it proved. Bands of a program, which
/// share nothing but inputs, follow one another in greedy orders. For AVX-512 a search interleaves
/// them if one kernel holds them all. One of too many equations for machine code comes as it is,
/// and unproved: nothing is lowered from it.
///
/// Shape: `window`: inputs that are read before the next are, see greedy_steps.
Program ordered_tile(const Program& program, const MachineFacts& machine, const Budget& budget,
                     std::size_t window = 0);

/// What a turn of an XOR program's loop costs in a greedy order: the price by which programs are
/// compared of which one is to become machine code.
///
/// Cost: that of greedy_steps.
std::size_t greedy_price(const Program& program, const MachineFacts& machine,
                         std::size_t window = 0);

/// Outputs of a band. Fewer are ordered as one even if they share nothing.
inline constexpr std::size_t kFewestOutputsOfBand = 16;

/// The bands of a tile one after the other, the steps of each in their order: what shares
/// temporaries, directly or through others, is of one band. Bands of fewer outputs are joined with
/// the next. A search interleaves bands (ordered_tile), so that inputs are read less often. Who
/// needs one band after the other calls this first.
///
///     before   a0 b0 a1 a2 b1 b2
///     after    a0 a1 a2 b0 b1 b2
EquationOrder order_by_bands(const Program& tile);

}  // namespace xorloom
