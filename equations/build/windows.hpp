#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Direct equations cut by their inputs into windows: programs of that many inputs each, which
/// follow one another. A window adds up what its inputs give to each output that reads some of
/// them. What a window shares is read in that window alone, and so values wait for less; but
/// windows share nothing.
///
/// Shape:  equations read inputs alone; inputs >= 1.
/// Errors: throws kInternal if an equation reads another.
std::vector<Program> windows_of(const Program& direct, std::size_t inputs);

/// The program that computes the windows of a program one after the other, and adds up what they
/// give to each output.
///
/// Shape: the windows are what windows_of makes of the program, or compute the same.
Program summed(const Program& direct, std::vector<Program> windows);

}  // namespace xorloom
