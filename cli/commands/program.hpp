#pragma once

#include <string>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// The program: what it is about, and all its commands.
Command make_program();

/// "xorloom 0.2.0".
std::string version_text();

}  // namespace xorloom::cli
