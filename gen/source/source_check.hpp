#pragma once

#include <span>
#include <string>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Reads the lines that write_part gave for the parts of a program back, one part after the other,
/// and compares what they do with the program: the same equations in the same order, each value
/// taken from where it is, every output stored and nothing else. Lines of any other form are none.
///
/// Errors: throws kInternal, saying where they differ.
void check_source(const Program& program, std::span<const std::string> parts);

}  // namespace xorloom
