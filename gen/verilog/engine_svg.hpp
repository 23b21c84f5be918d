#pragma once

#include <cstddef>
#include <string>

#include "gen/pictures/drawing.hpp"
#include "gen/verilog/engine_stages.hpp"

namespace xorloom {

/// Operands of all gates together, and registers, that a circuit has in a picture.
inline constexpr std::size_t kMostCircuitTies = 2048;

/// How many lines a circuit takes.
std::size_t circuit_ties(const EngineStages& engine);

/// An engine as a circuit of one lane: inputs at the left by their locations, outputs at the right,
/// gates between them by level, and each rank of registers in a column of its own. Pointing at a
/// gate brings out the lines that lead to it, and says what it adds up.
///
/// Errors: throws kInvalidArgument for more than kMostCircuitTies.
Picture draw_engine(const std::string& name, const EngineStages& engine);

}  // namespace xorloom
