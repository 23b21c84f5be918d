#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/matrix.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Programs that find lost data by syndromes. Redundancy that is left, plus what the data left adds
// to it, is a syndrome: a sum of lost data alone. There are as many syndromes as lost data.

/// A square matrix as a product of triangular ones, its rows and columns in another order. Below
/// and above the diagonal are the factors, whose own diagonals are ones; on it is what is between.
///
///   matrix(rows[i], columns[j]) = (L D U)(i, j)
struct TriangularFactors {
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
  Matrix factors;
};

/// The elimination with the fewest multiplications, then the fewest sums: of all orders up to four
/// rows; of more in the order that they have, with rows exchanged where a pivot would be zero. None
/// if the matrix is singular.
std::optional<TriangularFactors> best_factors(const Field& field, const Matrix& matrix);

/// The multiplications that it takes to solve by one, which are those of e·e factors that are
/// neither 0 nor 1.
std::size_t multiplications(const TriangularFactors& triangular);

/// A program of a map by syndromes and elimination. Rows of the code whose factors are ones, and
/// factors of the elimination that are ones, save multiplications: decoding four lost data of `rs`
/// of 10 + 4 takes 27 instead of 40.
///
/// Shape:  the map is one of the code. The inputs have as many redundant cells as data cells are
///         missing among them.
/// Answer: none if the map is of another shape, or if less than two or more than 32 data are lost.
std::optional<Program> elimination_program(const Code& code, const LinearMap& map);

/// A program of a map by additive Fourier transforms, if the code has them
/// (Code::transform_points). Encoding adds up the inverse transforms of each M data symbols, and
/// transforms the sum. About log2(M)/2 multiplications per data symbol take the place of m.
///
/// Decoding encodes what is left, with zeros for the data that is lost, and adds what the redundant
/// cells hold: these are the syndromes.
///
/// Shape:  the map is one of the code. The inputs have as many redundant cells as data cells are
///         missing among them.
/// Answer: none if the code has no transforms, if M exceeds 8, or if the map is of another shape.
/// Source: S.-J. Lin, T. Y. Al-Naffouri, Y. S. Han, FFT algorithm for binary extension finite
///         fields and its application to Reed-Solomon codes, IEEE Trans. Inf. Theory 62(10), 2016.
std::optional<Program> transform_program(const Code& code, const LinearMap& map);

}  // namespace xorloom
