#pragma once

#include <cstddef>
#include <string>

#include "codes/code.hpp"
#include "equations/files/equation_file.hpp"

namespace xorloom::cli {

/// "cauchy 5 + 2, w = 3" or "lrc 4 + 4, w = 8, l = 2": what a code is called where its spec is too
/// long. It has all keys of the spec but those of its field, its packets and its points.
std::string code_title(const Code& code);
std::string code_title(const EquationFile::CodeName& code);

}  // namespace xorloom::cli
