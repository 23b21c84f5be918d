#pragma once

#include <cstddef>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A bare 0/1 matrix without its rows and columns of zeros, which a search would carry along in
/// vain. At least one row and one column stay. What direct_program makes of the part becomes
/// equations of the whole matrix by other numbers alone:
///
///   element of the part   0 …        | columns …           | columns + rows …
///   stands for            columns_   | rows_, numbered     | temporaries of the whole
///                                    | after all columns   | and partial sums of a plan
class UsedPart {
 public:
  explicit UsedPart(const BitMatrix& whole);

  const BitMatrix& matrix() const { return matrix_; }

  /// True if the whole matrix has no row or column that is left out.
  bool is_whole() const {
    return matrix_.rows() == whole_rows_ && matrix_.columns() == whole_columns_;
  }

  /// The equations of the whole matrix. The outputs left out are zero.
  ///
  /// Shape: a program of the outputs of direct_program(matrix()).
  Program in_whole(const Program& program) const;

  /// The plan of such equations. Shape: one of a program as above.
  CoreSchedule in_whole(CoreSchedule plan) const;

 private:
  Element in_whole(Element element) const;

  std::size_t whole_rows_;
  std::size_t whole_columns_;
  std::vector<std::size_t> rows_;     ///< that stay, ascending
  std::vector<std::size_t> columns_;  ///< that stay, ascending
  BitMatrix matrix_;
};

}  // namespace xorloom
