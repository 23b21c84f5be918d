#pragma once

#include <cstddef>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// Leopard's GF(2^8) and GF(2^16): symbols are coordinates in a Cantor basis.
///
/// Shape: w is 8 or 16.
const Field& leopard_field(std::size_t w);

/// The redundant rows of Leopard's code. Entry (i, j) is [(M + j) >> L] / [(M + j) xor i], where M
/// is the power of two from m up, L its logarithm, and the integers in brackets are symbols. With
/// k = 1 all entries are 1.
///
/// Shape:  m x k; M + k <= 2^w.
/// Source: C. A. Taylor, Leopard-RS; S.-J. Lin, T. Y. Al-Naffouri, Y. S. Han and W.-H. Chung, Novel
///         polynomial basis with fast Fourier transform, IEEE Trans. Inf. Theory 62(11), 2016.
Matrix leopard_matrix(const Field& field, std::size_t k, std::size_t m);

}  // namespace xorloom
