#pragma once

#include <string>

#include "codes/code.hpp"
#include "equations/network/route_choice.hpp"

namespace xorloom::cli {

/// What `repair-plan` prints of the routes of a repair: a table, JSON or SVG.
///
/// Errors: throws kInvalidArgument for what is too large to draw.
std::string route_page(const Code& code, const Topology& topology, const RouteChoice& choice,
                       const std::string& format);

}  // namespace xorloom::cli
