#pragma once

#include <cstdint>
#include <optional>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// A program of a matrix whose quarters repeat, with three products of half the size in place of
/// four, and so again in each of them:
///
///     y1   T B   x1      p  = T (x1 + x2)
///        =     ·         y1 = p + (T + B) x2
///     y2   C T   x2      y2 = p + (T + C) x1
///
/// or the same with the halves of x exchanged. A matrix that is not square is cut into squares.
/// Circulant, Toeplitz, Hankel and Hadamard matrices are
/// such matrices, and so are those of blocks over a field, and Cauchy matrices over two subspaces.
/// Random says where it stops, and which of the two is taken where there is a choice.
///
/// Answer: none unless the matrix has even numbers of rows and columns, four or more, and two of
///         its quarters that lie across are equal.
/// Cost:   O(ones · log rows) equations and operands at most.
/// Source: A. Karatsuba, Y. Ofman, Multiplication of multidigit numbers on automata, 1962; for
///         matrices of these kinds: S. Winograd, Arithmetic complexity of computations, 1980.
std::optional<Program> repeated_blocks(const BitMatrix& matrix, std::uint32_t levels,
                                       Random& random);

/// Whether repeated_blocks gives a program.
bool has_repeated_blocks(const BitMatrix& matrix);

}  // namespace xorloom
