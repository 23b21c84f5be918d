#pragma once

#include <cstddef>
#include <string>

#include "gen/pictures/drawing.hpp"
#include "gen/verilog/engine_stages.hpp"

namespace xorloom {

/// Most lines of a circuit in a picture: operands of all gates, and registers.
inline constexpr std::size_t kMostCircuitTies = 2048;

/// Number of lines of a circuit.
std::size_t circuit_ties(const EngineStages& engine);

/// Draws one lane of an engine as a circuit: inputs at the left by their locations, outputs at the
/// right, gates between them by level, and each rank of registers in a column of its own. Pointing
/// at a gate highlights the lines that lead to it, and shows its sum.
///
/// Errors: throws kInvalidArgument for more than kMostCircuitTies.
Picture draw_engine(const std::string& name, const EngineStages& engine);

}  // namespace xorloom
