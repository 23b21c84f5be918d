#pragma once

#include <cstddef>
#include <string>

#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"

namespace xorloom::cli {

/// Title of a code, for use if its spec is too long: "cauchy-good 10 + 4, w = 8",
/// "lrc 4 + 4, w = 8, l = 2". It omits the packet size and the usual polynomial of the field, and
/// cuts long lists of points.
std::string code_title(const Code& code);
std::string code_title(const EquationFile::CodeName& code);

}  // namespace xorloom::cli
