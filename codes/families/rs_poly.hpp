#pragma once

#include <cstddef>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// The smallest symbol whose powers are all symbols but 0; it is 2 with the default polynomials.
///
/// Shape: w is at most 16.
Field::Symbol primitive_element(const Field& field);

/// Row r times the values of a polynomial of degree below k at a^0 … a^(k-1) is its value at
/// a^(k+r), with the primitive element a.
///
/// Shape: k + m < 2^w, and w is at most 16.
/// Cost:  O(k·(k + m)) multiplications.
Matrix polynomial_matrix(const Field& field, std::size_t k, std::size_t m);

}  // namespace xorloom
