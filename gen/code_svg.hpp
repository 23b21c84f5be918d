#pragma once

#include <string>

#include "codes/code.hpp"

namespace xorloom {

/// A picture of a code as SVG: the array of its cells, and of which of them each redundant one is the
/// sum. Legible on paper, in the light and in the dark; it loads nothing.
///
/// Errors: as grids_of.
std::string code_svg(const Code& code);

}  // namespace xorloom
