#pragma once

#include <cstddef>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// Jerasure's reed_sol_van: the redundant rows of a systematic Vandermonde matrix, the first row
/// and the first column of which are ones. What rs, shec, lrc and clay are made of.
///
/// Shape: m x k; k + m <= 2^w.
Matrix reed_sol_van(const Field& field, std::size_t k, std::size_t m);

}  // namespace xorloom
