#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Direct equations cut into bands: programs of the same inputs, each of some of the outputs that
/// follow one another. Values of a band wait for less than those of the whole, so that more of them
/// stay in registers; but bands share nothing, and each reads the inputs anew.
///
/// Shape:  equations read inputs alone; 1 <= number <= outputs.
/// Errors: throws kInternal if an equation reads another.
std::vector<Program> bands_of(const Program& direct, std::size_t number);

/// The program that computes the bands of a program one after the other.
///
/// Shape: the bands are what bands_of makes of the program, or compute the same.
Program stacked(const Program& direct, std::vector<Program> bands);

/// A program cut in two about the middle of its work, where no value waits: what follows reads
/// inputs alone and what it computes itself. None if there is no such place.
std::vector<Program> independent_halves(const Program& program);

}  // namespace xorloom
