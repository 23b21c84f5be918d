#pragma once

#include <cstdint>
#include <optional>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// Returns a program of a matrix with two equal opposite quarters: three products of half the size
/// instead of four, and so on recursively for `levels` levels:
///
///     y1   T B   x1      p  = T (x1 + x2)
///        =     ·         y1 = p + (T + B) x2
///     y2   C T   x2      y2 = p + (T + C) x1
///
/// or with the halves of x exchanged. A matrix that is not square is cut into squares. Circulant,
/// Toeplitz, Hankel and Hadamard matrices have such quarters, and so have those of blocks over a
/// field, and Cauchy matrices over two subspaces. If both pairs of quarters are equal, `random`
/// chooses.
///
/// Answer: nullopt unless the largest square at the top left of the matrix has an even number of
///         rows, four or more, and two equal opposite quarters.
/// Cost:   O(ones · log rows) equations and operands at most.
/// Source: A. Karatsuba, Y. Ofman, Multiplication of multidigit numbers on automata, 1962; for
///         matrices of these kinds: S. Winograd, Arithmetic complexity of computations, 1980.
std::optional<Program> repeated_blocks(const BitMatrix& matrix, std::uint32_t levels,
                                       Random& random);

/// True if repeated_blocks returns a program.
bool has_repeated_blocks(const BitMatrix& matrix);

}  // namespace xorloom
