#pragma once

#include <cstddef>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A bare 0/1 matrix without its rows and columns of zeros, which would only slow a search down. At
/// least one row and one column stay. A program of the part becomes one of the whole matrix by
/// renumbering its elements:
///
///   element of the part   0 …        | columns …           | columns + rows …
///   stands for            columns_   | rows_, numbered     | temporaries of the whole
///                                    | after all columns   | and partial sums of a plan
class UsedPart {
 public:
  explicit UsedPart(const BitMatrix& whole);

  const BitMatrix& matrix() const { return matrix_; }

  /// True if no row or column is left out.
  bool is_whole() const {
    return matrix_.rows() == whole_rows_ && matrix_.columns() == whole_columns_;
  }

  /// Returns the equations of the whole matrix. Outputs that were left out are zero.
  ///
  /// Shape: `program` has the inputs and outputs of direct_program(matrix()).
  Program in_whole(const Program& program) const;

  /// Returns the plan of the whole matrix. Shape: `plan` is one of such a program.
  CoreSchedule in_whole(CoreSchedule plan) const;

 private:
  Element in_whole(Element element) const;

  std::size_t whole_rows_;
  std::size_t whole_columns_;
  std::vector<std::size_t> rows_;     ///< rows that stay, ascending
  std::vector<std::size_t> columns_;  ///< columns that stay, ascending
  BitMatrix matrix_;
};

}  // namespace xorloom
