#pragma once

#include <cstddef>
#include <string>

#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"

namespace xorloom::cli {

/// Title of a code, for use if its spec is too long: "cauchy 5 + 2, w = 3" or
/// "lrc 4 + 4, w = 8, l = 2". It omits the keys for the field, packet size and evaluation points.
std::string code_title(const Code& code);
std::string code_title(const EquationFile::CodeName& code);

}  // namespace xorloom::cli
