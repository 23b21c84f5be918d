#pragma once

#include <string>
#include <string_view>

#include "cli/shell/command.hpp"

namespace xorloom::cli {

/// A sentence of the library for people who use the program. The library names its own options, as
/// in "option allow_non_mds"; here these are the options of the command line: "--allow-non-mds".
std::string in_program_words(std::string sentence);

/// "--vector-bytes = 5 is …" for "vector_bytes = 5 is …", if the command was given that option: the
/// library begins a sentence with the name of a value that is wrong. Else the sentence as it is.
std::string naming_option(std::string sentence, const Command& command);

/// Quotes `text` for a shell with single quotes.
std::string in_quotes(std::string_view text);

/// A word as a shell takes it: in quotes if it has letters that are special there.
std::string shell_word(const std::string& word);

}  // namespace xorloom::cli
