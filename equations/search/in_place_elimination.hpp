#pragma once

#include <cstdint>
#include <optional>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/in_place.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// The weight of a one of the matrix, beside that of a one of its inverse.
inline constexpr std::uint32_t kWeightOfMatrix = 16;

/// A circuit in place of an invertible matrix, which is brought to a permutation by adding rows to
/// rows and columns to columns, at each step those whose addition leaves the fewest weighted ones
/// in the matrix and its inverse. If the inverse is much denser, a small weight gives it the same
/// influence. Where dense squares are concerned, these circuits lead a search for few XORs to fewer
/// of them than those made of common pairs.
///
/// `in_layers` makes shallow circuits of more lines: it takes steps on different rows and columns
/// as long as they leave fewer ones, and only then begins with all rows and columns anew.
///
/// Answer: none if the matrix is not square and invertible, has more than kMostWires rows, or the
///         steps exceed rows².
/// Cost:   O(rows³ / 64) per step.
/// Source: T. de Brugière, M. Baboulin, B. Valiron, S. Martiel, C. Allouche, Gaussian elimination
///         versus greedy methods for the synthesis of linear reversible circuits, ACM TQC 2021;
///         Z. Xiang et al., Optimizing implementations of linear layers, ToSC 2020(2).
std::optional<InPlaceCircuit> eliminate_in_place(const BitMatrix& matrix, Random& random,
                                                 std::uint32_t weight_of_inverse = kWeightOfMatrix,
                                                 bool in_layers = false);

}  // namespace xorloom
