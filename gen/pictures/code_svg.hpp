#pragma once

#include "codes/code.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// A picture of a code: the array of its cells, with the terms of each redundant cell.
///
/// Errors: as grids_of.
Picture draw_code(const Code& code);

}  // namespace xorloom
