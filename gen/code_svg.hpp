#pragma once

#include "codes/code.hpp"
#include "gen/drawing.hpp"

namespace xorloom {

/// A picture of a code: the array of its cells, and of which of them each redundant one is the sum.
///
/// Errors: as grids_of.
Picture draw_code(const Code& code);

}  // namespace xorloom
