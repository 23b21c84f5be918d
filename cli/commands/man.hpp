#pragma once

#include <string>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// The manual page of the program or one of its commands, in roff with the man macros. All that it
/// says of options is what --help says.
///
/// Shape: `program` is the program that `command` is, or is one of.
std::string man_page(const Command& command, const Command& program);

/// "xorloom" or "xorloom-equations", as the page is called.
std::string man_name(const Command& command);

}  // namespace xorloom::cli
