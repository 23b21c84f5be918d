#pragma once

#include "cli/document/document.hpp"
#include "codes/code.hpp"
#include "equations/network/route_choice.hpp"

namespace xorloom::cli {

/// What `repair-plan` says of the routes of a repair.
///
/// Errors: throws kInvalidArgument if the picture that is asked for is too large to draw.
Document route_document(const Code& code, const Topology& topology, const RouteChoice& choice,
                        bool has_picture);

}  // namespace xorloom::cli
