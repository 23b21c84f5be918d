#pragma once

#include "cli/shell/command.hpp"
#include "equations/request/request.hpp"

namespace xorloom::cli {

/// Adds --over: whether the elements of equations are bits or symbols.
void add_over(Command& command, Over& over);

/// Adds the options for what equations compute: --erase, --want, --update, --rows and --over.
void add_request(Command& command, Request& request);

/// Throws kInvalidArgument, naming the options, if --update is given with --erase, or --want
/// without it.
void check_request_options(const Request& request);

}  // namespace xorloom::cli
