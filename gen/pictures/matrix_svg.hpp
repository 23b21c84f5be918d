#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Rows and columns of a matrix that is drawn.
inline constexpr std::size_t kMostMatrixSide = 1024;

/// The bitmatrix of a program: a row for each output, a column for each input, ones filled, lines
/// between locations, and the number of ones behind each row.
///
/// Errors: throws kInvalidArgument for more than kMostMatrixSide rows or columns.
Picture draw_matrix(const Program& program);

}  // namespace xorloom
