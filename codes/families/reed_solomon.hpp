#pragma once

#include <cstddef>
#include <span>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// Jerasure's reed_sol_van: the redundant rows of a systematic matrix, what rs, shec, lrc and clay
/// are made of.
///
/// It comes from an extended Vandermonde matrix: rows (1,0,…,0), (i^0,…,i^(k-1)) for i = 1…k+m-2,
/// (0,…,0,1). Columns are reduced until the top is the identity, then columns and rows scaled until
/// the first redundant row and the first entry of each later one are 1. The result has a closed
/// form, which is used here.
///
/// Shape: m x k; k + m <= 2^w.
Matrix reed_sol_van(const Field& field, std::size_t k, std::size_t m);

/// Row r times the values of a polynomial of degree below k at the first k points is its value at
/// point k + r.
///
/// Shape: `points` are distinct, and more than k; the matrix has a row for each point from k on.
/// Cost:  O(k·n) multiplications for n points.
Matrix interpolation_matrix(const Field& field, std::span<const Field::Symbol> points,
                            std::size_t k);

}  // namespace xorloom
