#pragma once

#include <cstddef>
#include <string>

#include "equations/equation_file.hpp"

namespace CLI {
class App;
}

namespace xorloom::cli {

/// --format of commands that print equations: text, json or dot.
void add_equation_format(CLI::App& app, std::string& format);

/// Throws kInvalidArgument if the format has no place for the plan that cores other than 0 add.
void check_equation_format(const std::string& format, std::size_t cores);

/// Equations in one of these.
std::string in_format(const EquationFile& file, const std::string& format);

}  // namespace xorloom::cli
