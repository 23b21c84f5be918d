#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

// Programs cut into pieces, and pieces put together again. Values of a piece live shorter than
// those of the whole, so more of them stay in registers. Pieces share no sums.

/// Cuts direct equations into bands: programs with the inputs of `direct` and a range of its
/// outputs each. Each band reads the inputs anew.
///
/// Shape:  equations read inputs alone; 1 <= number <= outputs.
/// Errors: throws kInternal if an equation reads the target of another.
std::vector<Program> bands_of(const Program& direct, std::size_t number);

/// The program that computes the bands of a program one after the other.
///
/// Shape: the bands are bands_of(direct), or compute the same outputs.
Program stacked(const Program& direct, const std::vector<Program>& bands);

/// Cuts a program in two near the middle of its work, at a place that no value crosses: the second
/// half reads only inputs and its own values. Empty if there is no such place.
std::vector<Program> independent_halves(const Program& program);

/// Cuts direct equations by their inputs into `number` parts. A part computes the contribution of
/// its inputs to each output that reads some of them. part_of[element] is below `number` for
/// inputs, and kNone for other elements.
///
/// Errors: throws kInternal if an equation reads an element that is not an input.
std::vector<Program> cut_by_inputs(const Program& direct, const std::vector<std::size_t>& part_of,
                                   std::size_t number);

/// Cuts direct equations into windows: parts (cut_by_inputs) of `inputs` successive inputs each.
/// Sums shared within a window are read in that window alone.
///
/// Shape:  equations read inputs alone; inputs >= 1.
/// Errors: throws kInternal if an equation reads the target of another.
std::vector<Program> windows_of(const Program& direct, std::size_t inputs);

/// The program that computes the windows of `direct` one after the other, and adds up their
/// contributions to each output.
///
/// Shape: the windows are windows_of(direct), or compute the same contributions.
Program summed(const Program& direct, const std::vector<Program>& windows);

/// The composition of two programs: `second` reads the outputs of `first`. These become
/// temporaries, or inputs if `first` copies inputs.
///
/// Shape:  XOR programs; input i of `second` is output i of `first`.
/// Answer: input i is element i, output o is element inputs + o, locations of one row each.
Program chained(const Program& first, const Program& second);

}  // namespace xorloom
