#pragma once

#include <cstddef>

#include "equations/ir/dense_program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// Fewest outputs of a band. Fewer are ordered as one even if they share nothing.
inline constexpr std::size_t kFewestOutputsOfBand = 16;

/// Orders the equations of a tile band by band; equations of a band keep their order. Equations
/// that share temporaries, directly or through others, are of one band. Bands of fewer outputs are
/// joined with the next. A search interleaves bands (ordered_tile), so that inputs are read less
/// often: a caller that needs one band after the other calls this first.
///
///     before   a0 b0 a1 a2 b1 b2
///     after    a0 a1 a2 b0 b1 b2
EquationOrder order_by_bands(const Program& tile);

}  // namespace xorloom
