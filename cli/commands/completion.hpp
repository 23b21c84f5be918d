#pragma once

#include <string>
#include <string_view>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

// Completion scripts for shells: commands, options, values if an option takes one of a few words,
// and families of codes. They are generated from the options themselves.

std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

}  // namespace xorloom::cli
