#pragma once

#include <cstddef>

#include "equations/ir/dense_program.hpp"

namespace xorloom {

/// Proves that a tile computes `copies` copies of a program: output o of each copy is the same sum
/// of that copy's inputs as output o of the program.
///
/// Shape:  the tile is a dense program.
/// Errors: throws kInternal if it does not.
void prove_tile(const Program& tile, const Program& program, std::size_t copies);

}  // namespace xorloom
