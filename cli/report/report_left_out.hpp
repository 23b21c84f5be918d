#pragma once

#include <cstddef>

#include "cli/report/report.hpp"

namespace xorloom::cli {

/// The larger number of inputs and outputs. A page draws the matrix up to kMostMatrixSide.
std::size_t matrix_side(const Program& program);

/// Adds sentences to `left_out`: which sets machine code refused and, if `has_pictures`, which
/// pictures are missing because a set exceeds a bound.
void add_left_out(Report& report, bool has_pictures);

}  // namespace xorloom::cli
