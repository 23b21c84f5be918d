#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// Builder of a code that is given cell by cell: the data cells, and each redundant or hidden cell
/// as a sum of data cells and cells given before it.
class CellSums {
 public:
  /// `data`: in the order of the user's bytes.
  ///
  /// Errors: throws kInvalidArgument if the matrix of the code exceeds the limits; so does add().
  CellSums(Field field, std::size_t locations, std::size_t subchunks, std::vector<Cell> data,
           const SpecLimits& limits, std::size_t hidden = 0);

  /// Gives cell `target` as a sum. Terms of the same cell add up.
  void add(Cell target, std::vector<CellSum::Term> terms);
  void add(Cell target, std::span<const Cell> cells);

  Cell cell(std::size_t location, std::size_t subchunk) const {
    return static_cast<Cell>(location * subchunks_ + subchunk);
  }

  /// Returns the code, which promises to survive m losses. The caller sets arrangement and spec.
  Code code(std::string family, std::size_t k, std::size_t m, std::size_t w,
            std::string proof = {}) const;

 private:
  /// A cell as a combination of data cells; empty for data cells and cells not given yet.
  using Row = std::vector<Field::Symbol>;

  Field field_;
  std::size_t locations_;
  std::size_t subchunks_;
  std::vector<Cell> data_;
  std::size_t hidden_;
  std::vector<CellSum> sums_;
  std::vector<Row> rows_;               ///< by cell
  std::vector<std::size_t> column_of_;  ///< by cell: its index in data_, or ~0
  SpecLimits limits_;
  std::uint64_t operations_ = 0;
};

/// The first `rows` cells of each of the first locations, in the order of their numbers.
std::vector<Cell> cells_of_locations(std::size_t locations, std::size_t subchunks,
                                     std::size_t rows);

}  // namespace xorloom
