#pragma once

#include <string>

#include "equations/files/equation_file.hpp"

namespace xorloom {

/// The equations as a Graphviz digraph: inputs, one node per equation with its operands flowing in,
/// temporaries and outputs, laid out from left to right by level.
std::string write_dot(const EquationFile& file);

}  // namespace xorloom
