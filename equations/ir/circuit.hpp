#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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
  std::vector<Value> outputs;  ///< the value of each row of the matrix, kZero for a row of zeros

  std::size_t xors() const { return gates.size(); }
  std::size_t num_values() const { return inputs + gates.size(); }

  /// Adds a gate and returns its value.
  Value add(Value a, Value b);

  friend bool operator==(const Circuit&, const Circuit&) = default;
};

/// What a circuit computes. Shape: outputs x inputs.
BitMatrix matrix_of(const Circuit& circuit);

/// Throws kInternal unless the circuit computes the matrix.
void prove(const Circuit& circuit, const BitMatrix& matrix);

/// The circuit run backwards: a value becomes the sum of what its readers become. It computes the
/// transposed matrix, and where that has neither rows nor columns of zeros it has
/// rows - columns more XORs than the circuit. Gates that no output needs are dropped. Where a value
/// has several readers, random says in which order their sum is taken.
///
/// Source: J. Bordewijk 1957; C. Fiduccia, On obtaining upper bounds on the complexity of matrix
///         multiplication, 1972.
Circuit transposed(const Circuit& circuit, Random& random);

/// The circuit of a product of matrices: outer computes from what inner does.
///
/// Shape: outer has as many inputs as inner outputs, and none of these is zero.
Circuit composed(const Circuit& outer, const Circuit& inner);

/// Values that are sums of others, in any order: gates[i] computes value inputs + i, and may read
/// later ones as long as there is no cycle. Sorts them, drops what no output needs and merges
/// values that are alike by name. `used` tells the values in use. Errors: none.
Circuit sorted_circuit(std::size_t inputs, std::span<const Circuit::Gate> gates,
                       std::span<const Circuit::Value> outputs);

/// The circuit of a program: equations of more than two operands are taken from left to right.
Circuit circuit_of(const Program& program);

/// The program of a circuit with the layout, inputs and outputs of another that computes the same,
/// virtual elements among them.
/// Gates that are no outputs become temporaries. An output that is an input or another output
/// becomes a copy, one that is zero an equation of no operands.
Program program_of(const Circuit& circuit, const Program& layout);

/// XORs that any circuit of a matrix needs, proved.
///
/// A circuit of r distinct rows of two ones or more has a gate for each. The first of them reads no
/// other, so it takes one gate less than it has ones, of which the others are no rows. The same
/// holds of the transposed matrix, whose circuits have rows - columns more XORs: the better of the
/// two bounds is returned. Rows and columns of zeros, which no circuit touches, are left out.
///
/// Source: the transposition principle; see transposed.
std::size_t lower_bound(const BitMatrix& matrix);

/// The ones of the row that has most of them, at least 1.
std::size_t most_ones(const BitMatrix& matrix);

/// The least depth of any circuit of a matrix: a row of n ones takes log2(n) levels, rounded up.
std::size_t least_depth(const BitMatrix& matrix);

/// Steps until all is computed, with any number of cores.
std::size_t depth(const Circuit& circuit);

}  // namespace xorloom
