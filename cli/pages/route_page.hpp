#pragma once

#include "cli/document/document.hpp"
#include "codes/code.hpp"
#include "equations/network/route_choice.hpp"

namespace xorloom::cli {

/// Output of `repair-plan`: the routes of a repair. `has_picture`: also draw the planned route.
///
/// Errors: throws kInvalidArgument if the picture would be too large.
Document route_document(const Code& code, const Topology& topology, const RouteChoice& choice,
                        bool has_picture);

}  // namespace xorloom::cli
