#pragma once

#include <cstddef>
#include <span>
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

/// Equations in one of these: a single set or, if it is asked for, a front. That is as text a table of
/// its sets and then one after the other, as JSON an object that holds them. Shape: at least one set,
/// each of a front with a plan for the same cores.
std::string in_format(std::span<const EquationFile> files, bool is_front,
                      const std::string& format);

}  // namespace xorloom::cli
