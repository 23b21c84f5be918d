#pragma once

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// Makes the program with all its commands.
Command make_program();

/// "xorloom" or "xorloom-lab".
extern const char* const kProgramName;

}  // namespace xorloom::cli
