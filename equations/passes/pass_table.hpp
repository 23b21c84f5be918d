#pragma once

#include <span>
#include <string_view>

#include "codes/field/bitmatrix.hpp"
#include "codes/field/matrix.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A rewriting of programs: the result has the same inputs and outputs, and computes the same.
struct Pass {
  std::string_view name;
  Program (*run)(const Program&);
  std::string_view why;  ///< why it stands where it stands
};

/// The forms that a direct program is tried in before its common pairs are shared. A form is taken
/// if it saves a tenth of the XORs of the best before it.
std::span<const Pass> forms();

/// What is done to an XOR program whose sums are shared, one after the other.
std::span<const Pass> finishing_passes();

/// What is done to a program over a larger field, one after the other, sharing included.
std::span<const Pass> symbol_passes();

/// The result of a pass, proved.
///
/// Shape:  matrix is what the program computes: what evaluate_symbolically says, or over a larger
///         field coefficients_of.
/// Errors: throws kInternal if the result is no valid program, or does not compute the matrix.
Program proved_pass(const Pass& pass, const Program& program, const BitMatrix& matrix);
Program proved_pass(const Pass& pass, const Program& program, const Matrix& matrix);

}  // namespace xorloom
