#pragma once

#include "codes/code.hpp"
#include "integrations/jerasure/matrix_codecs.hpp"

namespace xorloom::jerasure {

/// The code whose redundancy is the matrix times its data.
///
/// Errors: throws Error, kInvalidArgument, if there is none: see codec_of.
Code matrix_code(const MatrixView& matrix);

/// The field of Jerasure's words: GF(2^w) by its default polynomial.
///
/// Errors: throws Error, kInvalidArgument, unless w is 1 … 16 or 32.
const Field& field_of(int w);

}  // namespace xorloom::jerasure
