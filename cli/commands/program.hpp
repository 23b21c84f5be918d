#pragma once

#include <string_view>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// Makes the program with its commands; if `name` is the name of a command, with that one alone. A
/// call runs one command, and making all takes longer than most commands run.
Command make_program(std::string_view name = {});

/// "xorloom" or "xorloom-lab".
extern const char* const kProgramName;

}  // namespace xorloom::cli
