#pragma once

#include <vector>

#include "cli/commands.hpp"

namespace xorloom::cli {

/// Makes an app the program: its name, what it is about, and all its commands, which are returned.
std::vector<Command> set_up(CLI::App& program);

}  // namespace xorloom::cli
