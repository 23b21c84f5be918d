#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/field/matrix.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// The bitmatrix that an XOR program computes: each output as a set of inputs.
///
/// Shape: outputs.size() x inputs.size(), row i for output i, column j for input j.
/// Cost:  O(operands · inputs / 64).
BitMatrix evaluate_symbolically(const Program& program);

/// The matrix that a program over any field computes: each output as a linear combination of
/// inputs.
///
/// Shape: outputs.size() x inputs.size().
/// Cost:  O(operands · inputs) field operations; memory for a row of each value that is computed.
Matrix coefficients_of(const Program& program);

/// Returns use(matrix) for the matrix that a program computes: a BitMatrix if it is an XOR program,
/// else a Matrix.
template <typename Use>
auto with_matrix_of(const Program& program, const Use& use) {
  return program.is_xor() ? use(evaluate_symbolically(program)) : use(coefficients_of(program));
}

/// Compares a program with the bitmatrix that it should compute. Returns nullopt if they agree,
/// else a sentence with the first output that differs and the inputs by which it differs.
std::optional<std::string> find_disagreement(const Program& program, const BitMatrix& matrix);

/// Compares a program with a matrix over the program's field. The result is as for a bitmatrix.
std::optional<std::string> find_disagreement(const Program& program, const Matrix& matrix);

/// Compares a program with another of the same inputs and outputs, over the same field.
std::optional<std::string> find_disagreement(const Program& program, const Program& same);

/// Compares a program whose inputs and outputs are cells of a code with the contents of these cells
/// by the code. Each input is a set of data elements, and each output has to come out as the set of
/// its cell. This proves encoding and decoding alike, without trusting any inverted matrix.
///
/// In an update, the data elements and the given differences are independent unknowns. Cells and
/// old values follow from the data, updated elements from the data plus the differences. A
/// difference that is not given is zero.
///
/// Shape: the program is over GF(2) and its elements are bits, or over the code's field and its
///        elements are cells.
std::optional<std::string> find_disagreement(const Program& program, const Code& code);

/// Throws kInternal, "WHAT do not hold: …", if there is a disagreement.
void require_agreement(const std::optional<std::string>& disagreement, const std::string& what);

/// Throws kInternal if the program differs from `truth`, a matrix or another program.
template <typename Truth>
void prove(const Program& program, const Truth& truth) {
  require_agreement(find_disagreement(program, truth), "the equations");
}

inline void prove(const Program& program, const Code& code) {
  require_agreement(find_disagreement(program, code), "the equations of " + code.name());
}

/// Proves that a tile computes `copies` independent copies of a program: each copy computes from
/// its own inputs what the program computes from the program's inputs.
///
/// Shape:  the tile is a dense program (equations/ir/program.hpp).
/// Errors: throws kInternal if the tile computes anything else, or is not a dense program.
void prove_tile(const Program& tile, const Program& program, std::size_t copies);

}  // namespace xorloom
