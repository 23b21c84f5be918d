#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

// Programs cut into pieces whose values wait for less than those of the whole, so that more of them
// stay in registers, and pieces put together again. Pieces share nothing.

/// Direct equations cut into bands: programs of the same inputs, each of some of the outputs that
/// follow one another. Each reads the inputs anew.
///
/// Shape:  equations read inputs alone; 1 <= number <= outputs.
/// Errors: throws kInternal if an equation reads another.
std::vector<Program> bands_of(const Program& direct, std::size_t number);

/// The program that computes the bands of a program one after the other.
///
/// Shape: the bands are what bands_of makes of the program, or compute the same.
Program stacked(const Program& direct, const std::vector<Program>& bands);

/// A program cut in two about the middle of its work, where no value waits: what follows reads
/// inputs alone and what it computes itself. None if there is no such place.
std::vector<Program> independent_halves(const Program& program);

/// Direct equations cut by their inputs into parts: what the inputs of a part add to each output
/// that reads some of them. `part_of` is by element, below `number`; kNone: no input.
///
/// Errors: throws kInternal if an equation reads what is no input.
std::vector<Program> cut_by_inputs(const Program& direct, const std::vector<std::size_t>& part_of,
                                   std::size_t number);

/// Direct equations cut by their inputs into windows: programs of that many inputs each, which
/// follow one another. A window adds up what its inputs give to each output that reads some of
/// them. What a window shares is read in that window alone.
///
/// Shape:  equations read inputs alone; inputs >= 1.
/// Errors: throws kInternal if an equation reads another.
std::vector<Program> windows_of(const Program& direct, std::size_t inputs);

/// The program that computes the windows of a program one after the other, and adds up what they
/// give to each output.
///
/// Shape: the windows are what windows_of makes of the program, or compute the same.
Program summed(const Program& direct, const std::vector<Program>& windows);

/// The program that computes a first one, and a second one from what the first gives. What the
/// first gives becomes temporaries, or inputs where it copies these.
///
/// Shape:  XOR programs. The second has as many inputs as the first has outputs, in their order.
/// Answer: input i is element i, output o is element inputs + o, locations of one row each.
Program chained(const Program& first, const Program& second);

}  // namespace xorloom
