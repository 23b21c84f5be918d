#pragma once

#include <cstddef>

#include "equations/ir/dense_program.hpp"

namespace xorloom {

/// Proves that a tile computes copies of a program: output o of each copy is the sum of inputs of
/// that copy that output o of the program is.
///
/// Shape:  the tile is a dense program.
/// Errors: throws kInternal if it does not.
void prove_tile(const Program& tile, const Program& program, std::size_t copies);

}  // namespace xorloom
