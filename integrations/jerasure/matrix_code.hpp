#pragma once

#include <cstddef>
#include <cstdint>

#include "codes/code.hpp"
#include "codes/field/matrix.hpp"
#include "integrations/jerasure/matrix_products.hpp"

namespace xorloom::jerasure {

/// The code whose redundancy is the matrix times its data.
///
/// Errors: throws Error, kInvalidArgument, if there is none: see encode().
Code matrix_code(const MatrixView& matrix);

/// Entries of a matrix, row by row, as symbols.
///
/// Errors: throws Error, kInvalidArgument, for an entry that is not below the bound.
Matrix symbols_of(const int* entries, std::size_t rows, std::size_t columns, std::uint64_t bound);

/// The field of Jerasure's words: GF(2^w) by its default polynomial.
///
/// Errors: throws Error, kInvalidArgument, unless w is 1 … 16 or 32.
/// Cost:   the first call of a w makes tables.
const Field& field_of(int w);

}  // namespace xorloom::jerasure
