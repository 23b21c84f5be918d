#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "codes/code.hpp"

namespace xorloom::cli {

/// Shows the cells that each code reads to rebuild `lost`. `codes` are pairs of a display name and
/// a code. `format`: svg (pictures side by side), else text.
///
/// Errors: throws kDamaged if a code cannot rebuild `lost`; kInvalidArgument if a location is out
///         of range, or if a picture would be too large.
std::string reads_page(const std::vector<std::pair<std::string, Code>>& codes,
                       const std::vector<std::size_t>& lost, const std::string& format);

}  // namespace xorloom::cli
