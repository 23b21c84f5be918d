#pragma once

#include <cstddef>

#include "codes/field/bitmatrix.hpp"

namespace xorloom {

/// XORs that any circuit of a matrix needs, proved.
///
/// A circuit of r distinct rows of two ones or more has a gate for each; and one more if none of
/// them has exactly two, since its first gate then is none of them. The same holds of the
/// transposed matrix, whose circuits have rows - columns more XORs: the better of the two bounds is
/// returned. Rows and columns of zeros, which no circuit touches, are left out.
///
/// Source: the transposition principle; see transposed in equations/ir/circuit.hpp.
std::size_t lower_bound(const BitMatrix& matrix);

}  // namespace xorloom
