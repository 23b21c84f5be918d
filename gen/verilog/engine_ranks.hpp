#pragma once

#include <cstddef>

#include "gen/verilog/engine_stages.hpp"

namespace xorloom {

/// A program cut into ranks + 1 stages, none of which is deeper than depth / (ranks + 1), rounded
/// up, counting each equation of two operands or more as one level. Of all such cuts it is one with
/// the fewest registers: a value takes one for each rank between the stage that makes it and the
/// last one that reads it.
///
/// Where there are more stages than levels some do nothing but hold values.
///
/// The question is a minimum cut. A stage is a run of time slots, one a level. For each value and
/// each slot there is a bit that says whether the value is computed in that slot or later; that a
/// sum comes after what it reads, and that a register holds what is computed before it and read
/// behind it, are arcs between bits.
///
/// Errors: throws kUnsupported where that takes more than kMostCutBits bits.
/// Cost:   O(equations · slots that an equation may be moved by) bits; the flow through them is the
///         number of registers.
/// Source: the program is that of C. Leiserson, J. Saxe, Retiming synchronous circuitry,
///         Algorithmica 1991; the cut as in J. Picard, Maximal closure of a graph and applications
///         to combinatorial problems, Management Science 1976.
EngineStages cut_into_stages(const Program& program, std::size_t ranks);

inline constexpr std::size_t kMostCutBits = 4'000'000;

}  // namespace xorloom
