#pragma once

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A matrix as the product outer · basis.
struct Factors {
  BitMatrix outer;  ///< rows x rank
  BitMatrix basis;  ///< rank x columns
};

/// With the basis of the rows in which each has a column of its own, the pivots of elimination from
/// the last column to the first or the other way. Cost: O(rows² · columns / 64).
Factors factors_of(const BitMatrix& matrix, bool from_last = true);

/// A program in two stages: temporaries that are a basis of what its direct equations compute, and
/// these from the temporaries, as differences (row_differences).
///
/// Dense matrices that are an inverse times something sparse come apart so. Decoding is one: the
/// last inputs are the redundancy that is read, and the temporaries, each a redundant element plus
/// what the known data contribute to it, are known as syndromes.
///
/// Shape: equations that read others stay as they are; temporaries are numbered from
///        end_of_elements().
Program factor_rows(const Program& program);

}  // namespace xorloom
