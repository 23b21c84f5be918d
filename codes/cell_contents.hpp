#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// What the cells of a stripe hold, as combinations of its data cells: what a proof compares with.
class CellContents {
 public:
  /// Buffers: the code outlives it.
  explicit CellContents(const Code& code);

  /// Adds a factor times what a cell holds to a sum of data cells.
  ///
  /// Shape: a symbol in the sum for each data cell.
  void add(std::span<Field::Symbol> sum, Cell cell, Field::Symbol factor) const;

  /// The place of a data cell among those of the code.
  std::size_t data_column(Cell cell) const { return place_[cell]; }

 private:
  const Code& code_;
  std::vector<bool> is_data_;  ///< by cell
  std::vector<std::size_t>
      place_;  ///< by cell: its column of the matrix if it is data, else its row
};

}  // namespace xorloom
