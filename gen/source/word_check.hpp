#pragma once

#include <map>
#include <span>
#include <string>

#include "codes/field/field.hpp"
#include "equations/ir/program.hpp"
#include "gen/source/word_forms.hpp"

namespace xorloom {

/// Reads the lines that write_word_part gave for the parts of a program back, one part after the
/// other, and compares what they do with the program: the same sums of products, each complete
/// before it is read, each value taken from where it is, every output stored and nothing else.
/// Lines of any other form are none. `constants` says what names multiply by, as read_constants
/// found it.
///
/// Errors: throws kInternal, saying where they differ.
void check_word_source(const Program& program, const WordForm& form,
                       const std::map<std::string, Field::Symbol, std::less<>>& constants,
                       std::span<const std::string> parts);

}  // namespace xorloom
