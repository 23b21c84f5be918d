#pragma once

#include <string>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

// Scripts with which shells complete the commands and options of the program, their values where
// there are few, and families of codes. All of it comes from the options themselves.

std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

}  // namespace xorloom::cli
