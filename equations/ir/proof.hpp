#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/field/matrix.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// What each output of a program is, as a set of inputs: the whole truth of a linear program.
///
/// Shape: outputs.size() x inputs.size(), row i for output i, column j for input j.
/// Cost:  O(operands · inputs / 64).
BitMatrix evaluate_symbolically(const Program& program);

/// The same of a program over any field: what each output is as a combination of inputs.
///
/// Shape: outputs.size() x inputs.size().
/// Cost:  O(operands · inputs) field operations; memory for a row of each value that is computed.
Matrix coefficients_of(const Program& program);

/// Returns use(matrix) of what a program computes: a BitMatrix if it is an XOR program, else a
/// Matrix.
template <typename Use>
auto with_matrix_of(const Program& program, const Use& use) {
  return program.is_xor() ? use(evaluate_symbolically(program)) : use(coefficients_of(program));
}

/// Compares a program with the bitmatrix it is to compute. The answer is none if they agree, else a
/// sentence that names the first output that differs and an input by which it does.
std::optional<std::string> find_disagreement(const Program& program, const BitMatrix& matrix);

/// The same with a matrix over the program's field.
std::optional<std::string> find_disagreement(const Program& program, const Matrix& matrix);

/// Compares a program with another of the same inputs and outputs, over the same field.
std::optional<std::string> find_disagreement(const Program& program, const Program& same);

/// Compares a program whose inputs and outputs are cells of a code with what the code says those
/// cells hold: inputs are put in as sets of data elements, and each output has to come out as its
/// own. This proves encoding and decoding alike, without trusting any inverted matrix.
///
/// In an update the data elements and the differences given are unknowns of their own. Cells and
/// old values are what the code says of the data, updated elements what it says of the data with
/// the differences added; where no difference is given, nothing changes.
///
/// Shape: the program is over GF(2) and its elements are bits, or over the code's field and they
///        are cells.
std::optional<std::string> find_disagreement(const Program& program, const Code& code);

/// Throws kInternal if there is a disagreement: "WHAT do not hold: …".
void require_agreement(const std::optional<std::string>& disagreement, const std::string& what);

/// Throws kInternal if find_disagreement finds one. The truth is a matrix or another program.
template <typename Truth>
void prove(const Program& program, const Truth& truth) {
  require_agreement(find_disagreement(program, truth), "the equations");
}

inline void prove(const Program& program, const Code& code) {
  require_agreement(find_disagreement(program, code), "the equations of " + code.name());
}

/// Proves that a tile computes copies of a program: output o of each copy is the sum of inputs of
/// that copy that output o of the program is.
///
/// Shape:  the tile is a dense program (equations/ir/dense_program.hpp).
/// Errors: throws kInternal if it does not.
void prove_tile(const Program& tile, const Program& program, std::size_t copies);

}  // namespace xorloom
