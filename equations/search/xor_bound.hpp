#pragma once

#include <cstddef>
#include <string>

#include "codes/field/bitmatrix.hpp"

namespace xorloom {

/// A proved number of XORs that every circuit of a matrix has at least, and why.
struct XorBound {
  enum class Argument {
    kRows,     ///< lower_bound() of equations/ir/circuit.hpp
    kDistance  ///< few inputs and outputs add up to zero; see xor_bound
  };

  std::size_t xors = 0;
  Argument argument = Argument::kRows;
  bool is_transposed = false;  ///< kDistance: it is about the transposed matrix
  std::size_t distance =
      0;                   ///< kDistance: fewest inputs and outputs that add up to zero; at most 6
  std::size_t alike = 0;   ///< kDistance: most threes of them that have one sum
  std::size_t others = 0;  ///< kDistance: gates that are neither inputs nor outputs
};

/// Rows and columns together of a matrix whose distance is looked at.
inline constexpr std::size_t kMostBoundElements = 400;

/// The better of two bounds, for the matrix and its transposed.
///
/// kDistance holds if the r rows are independent, and fewer than 5 inputs and outputs never add up
/// to zero. docs/records.md has the argument. In a circuit of the fewest XORs, q gates are no
/// outputs. Of these,
///
///   met     gates take part in an XOR with two inputs or outputs, each in one such XOR
///   starts  of these are themselves made by it; at least the first gate of the circuit
///   joined  gates are each the sum of another of the q and of an input or output
///
/// An output comes from a gate that is met and does not start, or is the sum of two of the q; the
/// latter outputs form a forest on the q gates. So r <= (met - starts) + (q - 1). With a distance
/// of 5 that is used alone. With 6, these edges and those of the joined gates form a graph without
/// cycles of less than six edges, no two met gates are neighbours, and any other gate has at most
/// `alike` neighbours that are met. Each of n inputs is read: n <= met + starts + joined.
///
/// Values are compared by 64 random bits: if these mislead, the bound is lower, never too high.
///
/// Cost: O((rows + columns)³), if there are at most kMostBoundElements.
/// Source: ours.
XorBound xor_bound(const BitMatrix& matrix);

/// A certificate of a bound, {"format":"xorloom-bound","version":1,…}, for scripts/check-bound.
std::string write_certificate(const XorBound& bound, const BitMatrix& matrix);

}  // namespace xorloom
