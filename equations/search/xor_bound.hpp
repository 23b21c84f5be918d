#pragma once

#include <cstddef>
#include <string>

#include "codes/field/bitmatrix.hpp"

namespace xorloom {

/// A proved lower bound of the XORs of every circuit of a matrix, and its argument.
struct XorBound {
  enum class Argument {
    kRows,     ///< lower_bound() of equations/ir/circuit.hpp
    kDistance  ///< only many inputs and outputs add up to zero; see xor_bound
  };

  std::size_t xors = 0;
  Argument argument = Argument::kRows;
  bool is_transposed = false;  ///< kDistance: argued on the transposed matrix
  std::size_t distance = 0;    ///< kDistance: fewest inputs and outputs with sum 0; 6: 6 or more
  std::size_t alike = 0;       ///< kDistance: most triples of inputs and outputs with one sum
  std::size_t others = 0;      ///< kDistance: gates that are not outputs
};

/// Most rows plus columns of a matrix for which kDistance is tried.
inline constexpr std::size_t kMostBoundElements = 400;

/// Returns the best bound by both arguments, for the matrix and its transposed.
///
/// kDistance applies if the r rows are independent and no four or fewer inputs and outputs add up
/// to zero. docs/records.md has the full argument. A circuit of the fewest XORs has q gates that
/// are not outputs. Of these q gates,
///
///   met     gates are in an XOR with two inputs or outputs, each in only one such XOR
///   starts  of the met gates are the result of that XOR; the first gate of the circuit is one
///   joined  gates are each the sum of another of the q gates and an input or output
///
/// An output is the result of the XOR of a met gate that does not start, or of an XOR of two of the
/// q gates. Take the latter XORs as edges of a graph on the q gates: they form a forest. So
/// r <= (met - starts) + (q - 1). With a distance of 5 only this is used. With 6, more holds: with
/// the edges of joined gates, the graph has no cycle of less than six edges. No two met gates are
/// neighbours, and any other gate has at most `alike` met neighbours. Each of n inputs is read:
/// n <= met + starts + joined.
///
/// Values are compared by 64 random bits. If these mislead, the bound is lower, never too high.
///
/// Cost: O((rows + columns)³), if there are at most kMostBoundElements.
/// Source: ours.
XorBound xor_bound(const BitMatrix& matrix);

/// A certificate of a bound, {"format":"xorloom-bound","version":1,…}, for scripts/check-bound.
std::string write_certificate(const XorBound& bound, const BitMatrix& matrix);

}  // namespace xorloom
