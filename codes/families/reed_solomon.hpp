#pragma once

#include <cstddef>
#include <span>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// Jerasure's reed_sol_van: the redundant rows of a systematic matrix. rs, shec, lrc and clay use
/// it.
///
/// It is made from an extended Vandermonde matrix: rows (1,0,…,0), (i^0,…,i^(k-1)) for i = 1…k+m-2,
/// (0,…,0,1). Columns are reduced until the top is the identity, then columns and rows scaled until
/// the first redundant row and the first entry of each later one are 1. Computed here by a closed
/// form.
///
/// Shape: m x k; k + m <= 2^w.
Matrix reed_sol_van(const Field& field, std::size_t k, std::size_t m);

/// Returns the matrix that extrapolates polynomials of degree below k: row r times the values at
/// the first k points is the value at point k + r.
///
/// Shape: `points` are distinct, and more than k; the matrix has a row per point from k on.
/// Cost:  O(k·n) multiplications for n points.
Matrix interpolation_matrix(const Field& field, std::span<const Field::Symbol> points,
                            std::size_t k);

}  // namespace xorloom
