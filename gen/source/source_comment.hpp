#pragma once

#include <string>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// The comment a generated file begins with: the code, its layout in memory, and what functions
/// take. `language` is "C11"; `example` names one of the functions.
std::string write_source_comment(const Code& code, const std::string& language,
                                 const std::string& example);

/// "by XOR", "over GF(2^8)".
std::string how_it_codes(const Code& code);

/// The comment above a function: what it computes from what, and its cost.
std::string write_function_comment(const Program& program);

}  // namespace xorloom
