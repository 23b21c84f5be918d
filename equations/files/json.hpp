#pragma once

#include <span>
#include <string>
#include <string_view>

#include "equations/files/equation_file.hpp"

namespace xorloom {

/// The versioned JSON form, {"format":"xorloom-equations","version":1,…}; docs/equations.md lists
/// its keys. Programs over symbols are version 2, which adds the field and coefficients. Numbers
/// are those of the elements; makespans and moves are given for the plan's cores.
std::string write_json(const EquationFile& file);

/// Several of these, as {"format":"xorloom-front","version":1,"front":[…]}.
std::string write_front_json(std::span<const EquationFile> front);

/// Reads the form of one; read_equations is what to call.
EquationFile parse_json(std::string_view text);

}  // namespace xorloom
