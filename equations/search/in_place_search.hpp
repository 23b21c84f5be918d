#pragma once

#include <cstddef>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/in_place.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom {

/// XORs that every circuit in place of a matrix has at least: those that any circuit of the matrix
/// needs, or any of its inverse.
///
/// Shape: matrix is invertible, and `inverse` is its inverse.
std::size_t lower_bound_in_place(const BitMatrix& matrix, const BitMatrix& inverse);

/// A circuit in place of few XORs, proved. It begins with circuits by elimination (fast ends
/// there), and walks from them (InPlaceWalk), in turn on the circuit and on its transposed. Of a
/// matrix and its inverse it takes the sparser one, since the lines backwards compute the other.
///
/// search.depth bounds the levels, where lines of one level share no wire; search.start is not
/// used.
///
/// Errors: as check_search; throws kInvalidArgument if the matrix is not square or singular, has
///         more than kMostWires rows, or needs more levels than search.depth; kUnsupported if no
///         circuit of that depth was found.
InPlaceCircuit search_in_place(const BitMatrix& matrix, const Search& search);

}  // namespace xorloom
