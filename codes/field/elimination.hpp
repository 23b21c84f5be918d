#pragma once

#include <algorithm>
#include <cstddef>

#include "codes/field/bitmatrix.hpp"
#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// Gaussian elimination of the rows of a Matrix or a BitMatrix, its columns in any order.
///
///     solved rows    1 . x x    each has a one in a column of its own
///                    . 1 x x
///     rows left      . . x x
template <typename Rows>
class Elimination {
 public:
  /// Buffers: keeps both references. The field of bits is gf2().
  Elimination(const Field& field, Rows& rows) : field_(field), rows_(rows) {}

  /// Number of solved rows. They stand first, in the order in which they were solved.
  std::size_t solved() const { return solved_; }

  /// Solves one of the rows left for `column`, and clears the column in all others from row `first`
  /// on. False if all rows left have 0 there.
  bool solve(std::size_t column, std::size_t first = 0) {
    std::size_t pivot = solved_;
    while (pivot < rows_.rows() && !has(rows_, pivot, column)) ++pivot;
    if (pivot == rows_.rows()) return false;
    std::ranges::swap_ranges(rows_.row(pivot), rows_.row(solved_));
    make_one(rows_, column);
    for (std::size_t row = first; row < rows_.rows(); ++row) {
      if (row != solved_ && has(rows_, row, column)) clear(rows_, row, column);
    }
    ++solved_;
    return true;
  }

  /// Solves as many rows as there are independent ones. Returns their number.
  std::size_t rank() {
    for (std::size_t column = 0; column < rows_.columns() && solved_ < rows_.rows(); ++column) {
      solve(column, solved_);
    }
    return solved_;
  }

 private:
  static bool has(const Matrix& rows, std::size_t row, std::size_t column) {
    return rows(row, column) != 0;
  }
  static bool has(const BitMatrix& rows, std::size_t row, std::size_t column) {
    return rows.get(row, column);
  }
  void make_one(Matrix& rows, std::size_t column) const {
    scale_row(field_, rows.row(solved_), field_.invert(rows(solved_, column)));
  }
  void make_one(BitMatrix&, std::size_t) const {}
  void clear(Matrix& rows, std::size_t row, std::size_t column) const {
    add_scaled(field_, rows.row(row), rows(row, column), rows.row(solved_));
  }
  void clear(BitMatrix& rows, std::size_t row, std::size_t) const {
    rows.add_row(row, rows.row(solved_));
  }

  const Field& field_;
  Rows& rows_;
  std::size_t solved_ = 0;
};

}  // namespace xorloom
