#pragma once

#include <cstddef>

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

/// Row r times the values of a polynomial of degree below k at a^0 … a^(k-1) is its value at
/// a^(k+r), with the field's generator a. So location i holds the value at a^i.
///
/// Shape: k + m < 2^w, and w is at most 16.
/// Cost:  O(k·(k + m)) multiplications.
Matrix polynomial_matrix(const Field& field, std::size_t k, std::size_t m);

}  // namespace xorloom
