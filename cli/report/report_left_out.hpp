#pragma once

#include <cstddef>

#include "cli/report/report.hpp"

namespace xorloom::cli {

/// What decides whether a page has a program's matrix: up to kMostMatrixSide.
std::size_t matrix_side(const Program& program);

/// Adds a sentence for each kind of thing that the sets of a report are too large for, with the
/// bound: machine code and, in a page, pictures.
void add_left_out(Report& report, bool has_pictures);

}  // namespace xorloom::cli
