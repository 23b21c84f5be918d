#pragma once

#include <optional>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// A circuit that turns its inputs into its outputs in place: an invertible square matrix brought
/// to a permutation by adding rows to rows and columns to columns, at each step those whose
/// addition leaves the fewest ones in the matrix and its inverse. Where dense squares are
/// concerned, its circuits lead a search to fewer XORs than those made of common pairs.
///
/// Answer: none if the matrix is not square and invertible, has more than 1024 rows, or the steps
///         exceed rows².
/// Cost:   O(rows³ / 64) per step.
/// Source: T. de Brugière, M. Baboulin, B. Valiron, S. Martiel, C. Allouche, Gaussian elimination
///         versus greedy methods for the synthesis of linear reversible circuits, ACM TQC 2021;
///         Z. Xiang et al., Optimizing implementations of linear layers, ToSC 2020(2).
std::optional<Circuit> eliminate_in_place(const BitMatrix& matrix, Random& random);

}  // namespace xorloom
