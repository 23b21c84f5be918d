#pragma once

#include <cstdint>
#include <optional>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/in_place.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// Weight of a one of the matrix; `weight_of_inverse` is the weight of a one of its inverse.
inline constexpr std::uint32_t kWeightOfMatrix = 16;

/// Returns an in-place circuit of `matrix` by greedy elimination. Each step adds a row to a row or
/// a column to a column: the one that leaves the fewest weighted ones in the matrix and its
/// inverse. The steps end at a permutation. If the inverse is much denser, a small weight gives it
/// the same influence. If a matrix has dense squares, a search for few XORs gets to fewer from
/// these circuits than from those of common pairs.
///
/// With `in_layers`, the circuits are shallower and have more lines. The steps of a layer share no
/// row and no column. A new layer begins when no such step leaves fewer ones.
///
/// Answer: nullopt if the matrix is not square and invertible, has more than kMostWires rows, or
///         takes more than rows² steps.
/// Cost:   O(rows³ / 64) per step.
/// Source: T. de Brugière, M. Baboulin, B. Valiron, S. Martiel, C. Allouche, Gaussian elimination
///         versus greedy methods for the synthesis of linear reversible circuits, ACM TQC 2021;
///         Z. Xiang et al., Optimizing implementations of linear layers, ToSC 2020(2).
std::optional<InPlaceCircuit> eliminate_in_place(const BitMatrix& matrix, Random& random,
                                                 std::uint32_t weight_of_inverse = kWeightOfMatrix,
                                                 bool in_layers = false);

}  // namespace xorloom
