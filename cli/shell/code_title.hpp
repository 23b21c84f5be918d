#pragma once

#include <cstddef>
#include <string>

#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"

namespace xorloom::cli {

/// Title of a code, for use if its spec is too long: "cauchy-good 10 + 4, w = 8",
/// "lrc 4 + 4, w = 8, l = 2". It omits the packet size and the usual polynomial of the field, and
/// cuts long lists of points. Of a code file: Code::name().
std::string code_title(const Code& code);
std::string code_title(const EquationFile::CodeName& code);

/// The whole spec; of a code file, whose JSON may have any length, Code::name().
std::string short_spec(const Code& code);

}  // namespace xorloom::cli
