#pragma once

#include <string>

#include "equations/equation_file.hpp"

namespace CLI {
class App;
}

namespace xorloom::cli {

/// --format of commands that print equations: text, json or dot.
void add_equation_format(CLI::App& app, std::string& format);

/// Equations in one of these.
std::string in_format(const EquationFile& file, const std::string& format);

}  // namespace xorloom::cli
