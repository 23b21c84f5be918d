#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/symbol_sums.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// Which data a decoding finds, and of what.
///
/// Redundancy that is left, plus what the data left adds to it, is a syndrome: a sum of lost data
/// alone. There are as many syndromes as lost data, and `square` times the lost data is them.
struct LostData {
  std::vector<Element> data;           ///< by index, SymbolSums::kZero where it is lost
  std::vector<std::size_t> lost;       ///< indices into the code's data
  std::vector<std::size_t> redundant;  ///< indices into the code's redundancy
  Matrix square;                       ///< a row for each of these, a column for each lost
};

/// The lost data of a map of a code: data that is none of its inputs. None if the redundancy among
/// the inputs is not as much, or if that is more than 32 symbols.
std::optional<LostData> lost_data(const Code& code, const LinearMap& map);

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

/// Adds the equations that find lost data.
///
/// Shape:  syndromes by row of the matrix. The targets are elements by column of it, kZero where
///         the data is a temporary.
/// Answer: the lost data, by column.
std::vector<Element> solve(const Field& field, const TriangularFactors& triangular,
                           const std::vector<Element>& syndromes,
                           const std::vector<Element>& targets, SymbolSums& sums);

/// A program of a map by syndromes and elimination. Rows of the code whose factors are ones, and
/// factors of the elimination that are ones, save multiplications: decoding four lost data of `rs`
/// of 10 + 4 takes 27 instead of 40.
///
/// Shape:  the map is one of the code. The inputs have as many redundant cells as data cells are
///         missing among them.
/// Answer: none if the map is of another shape, or if less than two or more than 32 data are lost.
std::optional<Program> elimination_program(const Code& code, const LinearMap& map);

}  // namespace xorloom
