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

/// Title of a code, or the path in `spec` if the user gave a code file.
std::string code_title(const std::string& spec, const Code& code);

/// The whole spec; of a code file, whose JSON may have any length, the path in `spec`, or what
/// Code::name() says if `spec` has none.
std::string short_spec(const std::string& spec, const Code& code);

}  // namespace xorloom::cli
