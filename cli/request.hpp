#pragma once

#include "equations/request.hpp"

namespace CLI {
class App;
}

namespace xorloom::cli {

/// --erase, --want, --update and --rows: what the equations of a command compute.
void add_request(CLI::App& app, Request& request);

/// Throws kInvalidArgument, naming the options, if two of them do not go together.
void check_request_options(const Request& request);

}  // namespace xorloom::cli
