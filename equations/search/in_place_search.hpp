#pragma once

#include <cstddef>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/in_place.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom {

/// Lower bound of the XORs of in-place circuits of a matrix: those of any circuit of the matrix or
/// of its inverse, whichever is higher.
///
/// Shape: matrix is invertible, and `inverse` is its inverse.
std::size_t lower_bound_in_place(const BitMatrix& matrix, const BitMatrix& inverse);

/// Returns an in-place circuit of few XORs, proved. The search begins with circuits by elimination
/// (kFast ends there). It walks from them (InPlaceWalk), in turn on the circuit and on its
/// transposed. It searches for the matrix or its inverse, whichever is sparser, since a circuit's
/// lines in reverse order compute the inverse.
///
/// search.depth bounds the levels: lines of one level share no wire. search.start is not used.
///
/// Errors: as check_search; throws kInvalidArgument if the matrix is not square or singular, has
///         more than kMostWires rows, or needs more levels than search.depth; kUnsupported if no
///         circuit of that depth was found.
InPlaceCircuit search_in_place(const BitMatrix& matrix, const Search& search);

}  // namespace xorloom
