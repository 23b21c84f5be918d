#pragma once

#include <cstddef>
#include <optional>

#include "codes/bitmatrix.hpp"
#include "equations/circuit.hpp"
#include "equations/random.hpp"

namespace xorloom {

/// The circuit of a narrow matrix by the heuristic of Boyar and Peralta: of all sums of two values
/// there are, the one that brings the rows nearest is computed next. How near a row is, is the
/// fewest values that add up to it, and ones that cancel count as well. Of sums that bring the rows
/// equally near it is one that leaves the largest Euclidean norm, of these a random one. A row that
/// is the sum of two values is computed at once. Never more XORs than its rows apart.
///
/// The fewest values are known exactly, from a table of all sums of columns.
///
/// Answer: none if the matrix has more than kMostNarrowColumns columns or kMostNarrowRows rows.
/// Cost:   O(2^columns + XORs² · rows) an XOR.
/// Source: J. Boyar, P. Matthews, R. Peralta, Logic minimization techniques with applications to
///         cryptology, Journal of Cryptology 26, 2013.
std::optional<Circuit> boyar_peralta(const BitMatrix& matrix, Random& random);

inline constexpr std::size_t kMostNarrowColumns = 16;
inline constexpr std::size_t kMostNarrowRows = 128;

}  // namespace xorloom
