#pragma once

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// The program: what it is about, and all its commands.
Command make_program();

/// "xorloom", or "xorloom-lab" of the other program that is made of commands.
extern const char* const kProgramName;

}  // namespace xorloom::cli
