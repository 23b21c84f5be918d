#pragma once

#include <cstddef>

#include "equations/files/equation_file.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Most operands of all equations of a graph, together.
inline constexpr std::size_t kMostGraphOperands = 8192;

/// Most inputs and equations of a graph, together: equations without operands have a node, too.
inline constexpr std::size_t kMostGraphNodes = 32'768;

/// True if neither bound is exceeded.
bool has_graph(const Program& program);

/// Draws the equations as a graph: inputs at the left by their locations, outputs that no other
/// equation reads at the right, the others between them by level: one more than the level of their
/// operands.
///
/// Each equation has a color for its node and the lines from its operands, which pass under other
/// nodes. Pointing at a node, or going to it by keyboard, highlights its lines, marks the operands
/// and names the equation. The picture is no wider than a page, unless it has many columns.
///
/// Errors: throws kInvalidArgument unless has_graph(file.program).
Picture draw_equations(const EquationFile& file);

/// draw_equations() and, if there is a plan, below it the plan's Gantt chart and data paths.
///
/// Errors: as draw_equations and draw_gantt.
Picture draw_with_plan(const EquationFile& file);

}  // namespace xorloom
