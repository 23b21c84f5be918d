#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/matrix.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Programs that decode by syndromes. A syndrome is a redundant symbol that survives, plus what the
// surviving data contributes to it: a sum of lost data alone. There is one syndrome per lost data
// symbol.

/// LDU factors of a square matrix whose rows and columns are permuted. `factors` holds L below the
/// diagonal, D on it and U above it; the diagonals of L and U are ones.
///
///   matrix(rows[i], columns[j]) = (L D U)(i, j)
struct TriangularFactors {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
  Matrix factors;
};

/// Returns the LDU factors with the fewest multiplications, then the fewest additions. Up to 4
/// rows, all orders of rows and columns are tried. Above, rows are exchanged only to avoid a zero
/// pivot. nullopt: the matrix is singular.
std::optional<TriangularFactors> best_factors(const Field& field, const Matrix& matrix);

/// Multiplications that solving with the factors takes: the number of factors that are not 0 or 1.
std::size_t multiplications(const TriangularFactors& triangular);

/// Returns a program of `map` by syndromes and elimination. Ones among the code's coefficients and
/// the LDU factors save multiplications: decoding four lost data symbols of `rs` 10+4 takes 27
/// instead of 40.
///
/// Shape:  the map is one of the code. Its inputs have one redundant cell per lost data cell.
/// Answer: nullopt if the map is of another shape, if the lost data cannot be solved for, or if
///         less than 2 or more than 32 data cells are lost.
std::optional<Program> elimination_program(const Code& code, const LinearMap& map);

/// Returns a program of `map` by additive Fourier transforms of M = Code::transform_points points.
/// Encoding adds up the inverse transforms of each M data symbols, and transforms the sum. It takes
/// about log2(M)/2 multiplications per data symbol instead of m.
///
/// Decoding encodes the surviving data, with zeros for the lost, and adds the surviving redundant
/// cells: the results are the syndromes.
///
/// Shape:  the map is one of the code. Its inputs have one redundant cell per lost data cell.
/// Answer: nullopt if the code has no transforms, if M exceeds 8, or if the map is of another
///         shape.
/// Source: S.-J. Lin, T. Y. Al-Naffouri, Y. S. Han, FFT algorithm for binary extension finite
///         fields and its application to Reed-Solomon codes, IEEE Trans. Inf. Theory 62(10), 2016.
std::optional<Program> transform_program(const Code& code, const LinearMap& map);

}  // namespace xorloom
