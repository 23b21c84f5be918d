#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// A linear map as two-input XORs: the form that searches work on.
///
/// Values are numbered densely: the inputs (columns of the matrix) come first, then the gates in
/// their order. A gate reads two different values before its own.
struct Circuit {
  using Value = std::uint32_t;
  using Gate = std::array<Value, 2>;
  static constexpr Value kZero = static_cast<Value>(-1);

  std::size_t inputs = 0;
  std::vector<Gate> gates;
  std::vector<Value> outputs;  ///< by row of the matrix: its value; kZero: a row of zeros

  std::size_t xors() const { return gates.size(); }
  std::size_t num_values() const { return inputs + gates.size(); }

  /// Adds a gate and returns its value.
  Value add(Value a, Value b);

  friend bool operator==(const Circuit&, const Circuit&) = default;
};

/// The matrix that a circuit computes. Shape: outputs x inputs.
BitMatrix matrix_of(const Circuit& circuit);

/// Throws kInternal unless `circuit` computes `matrix`.
void prove(const Circuit& circuit, const BitMatrix& matrix);

/// The circuit run backwards: a value becomes the sum of what its readers become. The result
/// computes the transposed matrix. If the matrix has no rows and no columns of zeros, the result
/// has (rows - columns) more XORs than the circuit. Gates that no output needs are dropped. If a
/// value has several readers, `random` chooses the order of their sum.
///
/// Source: J. Bordewijk 1957; C. Fiduccia, On obtaining upper bounds on the complexity of matrix
///         multiplication, 1972.
Circuit transposed(const Circuit& circuit, Random& random);

/// The circuit of the product outer · inner: `outer` reads the outputs of `inner`.
///
/// Shape: outer.inputs equals the number of inner's outputs, none of which is kZero.
Circuit composed(const Circuit& outer, const Circuit& inner);

/// Returns the circuit of gates in any order: gates[i] computes value inputs + i, and may read
/// later values. Sorts them and drops those that no output needs. Shape: the gates that outputs
/// need form no cycle.
Circuit sorted_circuit(std::size_t inputs, std::span<const Circuit::Gate> gates,
                       std::span<const Circuit::Value> outputs);

/// The circuit of a program: equations of more than two operands are taken from left to right.
Circuit circuit_of(const Program& program);

/// The program of a circuit with the layout, inputs, outputs and virtual elements of `layout`, a
/// program that computes the same. Gates that are not outputs become temporaries. An output that
/// equals an input or another output becomes a copy; a zero output becomes an equation without
/// operands.
Program program_of(const Circuit& circuit, const Program& layout);

/// A proved lower bound of the XORs of any circuit of `matrix`.
///
/// Each of r distinct rows with two ones or more is a gate. The first of these gates depends on no
/// other row, so it takes one gate less than it has ones, and only the last of them is a row. That
/// also bounds the transposed matrix, whose circuits have rows - columns more XORs: the better of
/// the two bounds is returned. Rows and columns of zeros are left out, since no circuit touches
/// them.
///
/// Source: the transposition principle; see transposed.
std::size_t lower_bound(const BitMatrix& matrix);

/// The most ones in a row, at least 1.
std::size_t most_ones(const BitMatrix& matrix);

/// The least depth of any circuit of a matrix: a row of n ones takes log2(n) levels, rounded up.
std::size_t least_depth(const BitMatrix& matrix);

/// XORs on the longest path from an input.
std::size_t depth(const Circuit& circuit);

}  // namespace xorloom
