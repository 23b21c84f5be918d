#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "codes/code.hpp"

namespace xorloom::cli {

/// What rebuilding the same lost locations reads of each of some codes, given with what they are
/// called: as text, or as SVG side by side.
///
/// Errors: throws kDamaged where one cannot be rebuilt, kInvalidArgument for locations out of
///         range, and for what is too large to draw.
std::string reads_page(const std::vector<std::pair<std::string, Code>>& codes,
                       const std::vector<std::size_t>& lost, const std::string& format);

}  // namespace xorloom::cli
