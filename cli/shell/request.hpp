#pragma once

#include "cli/shell/command.hpp"
#include "equations/request/request.hpp"

namespace xorloom::cli {

/// --over: what the elements of equations are.
void add_over(Command& command, Over& over);

/// --erase, --want, --update, --rows and --over: what the equations of a command compute.
void add_request(Command& command, Request& request);

/// Throws kInvalidArgument, naming the options, if two of them do not go together.
void check_request_options(const Request& request);

}  // namespace xorloom::cli
