#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/spec.hpp"

namespace xorloom {

/// A code given cell by cell: which cells hold data, and each redundant or hidden cell as a sum of
/// cells that are data or were given before it.
class CellSums {
 public:
  /// Data cells stand in the order of the user's bytes.
  ///
  /// Errors: throws kInvalidArgument if the matrix of the code would exceed the limits; so does
  ///         add.
  CellSums(Field field, std::size_t locations, std::size_t subchunks, std::vector<Cell> data,
           const SpecLimits& limits, std::size_t hidden = 0);

  /// Terms with the same cell add up.
  void add(Cell target, std::vector<CellSum::Term> terms);
  void add(Cell target, std::span<const Cell> cells);

  Cell cell(std::size_t location, std::size_t subchunk) const {
    return static_cast<Cell>(location * subchunks_ + subchunk);
  }

  /// The code, which promises to survive m losses; arrangement and spec are the caller's to add.
  Code code(std::string family, std::size_t k, std::size_t m, std::size_t w,
            std::string proof = {}) const;

 private:
  /// A cell as a sum of data; empty until it is given, and for data itself.
  using Row = std::vector<Field::Symbol>;

  Field field_;
  std::size_t locations_;
  std::size_t subchunks_;
  std::vector<Cell> data_;
  std::size_t hidden_;
  std::vector<CellSum> sums_;
  std::vector<Row> rows_;               ///< by cell
  std::vector<std::size_t> column_of_;  ///< by cell: of the data cell that it is, or none
  SpecLimits limits_;
  std::uint64_t operations_ = 0;
};

/// The first `rows` cells of each of the first locations, in the order of their numbers.
std::vector<Cell> cells_of_locations(std::size_t locations, std::size_t subchunks,
                                     std::size_t rows);

}  // namespace xorloom
