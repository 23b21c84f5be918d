#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "codes/field/bitmatrix.hpp"
#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// Gaussian elimination of a Matrix or a BitMatrix, column by column in any order.
///
///     solved rows    1 . x x    each has its own column, with a 1
///                    . 1 x x
///     rows left      . . x x
template <typename Rows>
class Elimination {
 public:
  /// Every row operation is also applied to `beside`, if not null.
  ///
  /// Buffers: keeps references to all three. The field of a BitMatrix is gf2().
  Elimination(const Field& field, Rows& rows, Rows* beside = nullptr)
      : field_(field), rows_(rows), beside_(beside) {}

  /// Number of solved rows. They are the first rows, in the order in which they were solved.
  std::size_t solved() const { return solved_; }

  /// Solves one of the rows left for `column`, and clears `column` in all other rows from `first`
  /// on. False if all rows left have 0 in `column`.
  bool solve(std::size_t column, std::size_t first = 0) {
    std::size_t pivot = solved_;
    while (pivot < rows_.rows() && rows_(pivot, column) == 0) ++pivot;
    if (pivot == rows_.rows()) return false;
    const Field::Symbol scale = field_.invert(rows_(pivot, column));
    for_each([&](Rows& rows) {
      std::ranges::swap_ranges(rows.row(pivot), rows.row(solved_));
      if constexpr (std::is_same_v<Rows, Matrix>) scale_row(field_, rows.row(solved_), scale);
    });
    for (std::size_t row = first; row < rows_.rows(); ++row) {
      const Field::Symbol factor = rows_(row, column);
      if (row == solved_ || factor == 0) continue;
      for_each([&](Rows& rows) { add_row(field_, rows, row, factor, solved_); });
    }
    ++solved_;
    return true;
  }

  /// Solves a maximal set of independent rows. Returns their number.
  std::size_t rank() {
    for (std::size_t column = 0; column < rows_.columns() && solved_ < rows_.rows(); ++column) {
      solve(column, solved_);
    }
    return solved_;
  }

 private:
  template <typename Change>
  void for_each(const Change& change) {
    change(rows_);
    if (beside_ != nullptr) change(*beside_);
  }

  const Field& field_;
  Rows& rows_;
  Rows* beside_;
  std::size_t solved_ = 0;
};

/// The inverse of a square matrix; nullopt if it is singular. Precondition: `inverse` is the
/// identity.
template <typename Rows>
std::optional<Rows> inverse_by_elimination(const Field& field, Rows matrix, Rows inverse) {
  Elimination elimination(field, matrix, &inverse);
  for (std::size_t column = 0; column < matrix.columns(); ++column) {
    if (!elimination.solve(column)) return std::nullopt;
  }
  return inverse;
}

}  // namespace xorloom
