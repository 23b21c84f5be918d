#pragma once

#include <string>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// The manual page of the program or of one of its commands, in roff with the man macros. Its
/// options are those of --help-all.
///
/// Shape: `command` is `program` or one of its commands.
std::string man_page(const Command& command, const Command& program);

/// Name of the page: "xorloom" or "xorloom-equations".
std::string man_name(const Command& command);

}  // namespace xorloom::cli
