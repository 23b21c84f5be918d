#pragma once

#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Proofs that precede a plan. Each throws kInternal if it fails, unless it says otherwise.

/// Compares each output of a map with the data the code says it holds, trusting no inverted matrix:
/// the output's own cell and the inputs that make it up have to add up to zero.
void prove_map(const LinearMap& map, const Code& code);

/// As above, for many maps: `contents` is of the code.
void prove_map(const LinearMap& map, const Code& code, const CellContents& contents);

/// The map over the field that a program computes; it need not be a map of the code. The program is
/// over bits if the code lies in packets, and over its symbols if it lies in words.
///
/// Errors: throws kDamaged if the program is not for such a code, or reads or writes parts of
///         cells, kInternal if what it computes is not linear over the field.
LinearMap map_of(const Code& code, const Program& program);

/// Compares an XOR program with a map that need not be one of the code.
void prove_part(const Code& code, const LinearMap& part, const Program& program);

/// Adds up parts and compares the sum with a map. No part may name a cell twice.
void prove_sum(const Code& code, const LinearMap& whole, const std::vector<LinearMap>& parts);

}  // namespace xorloom
