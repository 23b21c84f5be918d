#pragma once

#include <string>

namespace xorloom::cli {

/// A sentence of the library for people who use the program. The library names its own options, as
/// in "option allow_non_mds"; here these are the options of the command line: "--allow-non-mds".
std::string in_program_words(std::string sentence);

}  // namespace xorloom::cli
