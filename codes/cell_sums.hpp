#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// A code given cell by cell: which cells hold data, and each redundant or hidden cell as a sum of
/// cells that are data or were given before it.
class CellSums {
 public:
  /// Data cells stand in the order of the user's bytes.
  ///
  /// Errors: throws kInvalidArgument if the matrix of the code would exceed kMaxSymbols.
  CellSums(Field field, std::size_t locations, std::size_t subchunks, std::vector<Cell> data,
           std::size_t hidden = 0);

  /// Terms with the same cell add up.
  void add(Cell target, std::vector<CellSum::Term> terms);
  void add(Cell target, std::span<const Cell> cells);

  /// The code; k, m, w, arrangement, promise and spec are the caller's to add.
  Code code(std::string family) const;

 private:
  using Row = std::vector<Field::Symbol>;  ///< a cell as a sum of data; empty until given

  Field field_;
  std::size_t locations_;
  std::size_t subchunks_;
  std::vector<Cell> data_;
  std::size_t hidden_;
  std::vector<CellSum> sums_;
  std::vector<Row> rows_;  ///< by cell
};

/// The cells of locations first … first + count - 1, in the order of their numbers.
std::vector<Cell> cells_of_locations(std::size_t first, std::size_t count, std::size_t subchunks);

}  // namespace xorloom
