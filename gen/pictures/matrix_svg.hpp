#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Most rows, and most columns, of a matrix that is drawn.
inline constexpr std::size_t kMostMatrixSide = 1024;

/// Draws the matrix of a program: a row for each output, a column for each input. Cells that are
/// not zero are filled, lines separate locations, and the number of filled cells is behind each
/// row. It is the bitmatrix of an XOR program; over symbols each cell has its coefficient, in
/// hexadecimal.
///
/// Errors: throws kInvalidArgument for more than kMostMatrixSide rows or columns.
Picture draw_matrix(const Program& program);

}  // namespace xorloom
