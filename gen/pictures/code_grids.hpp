#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// A cell of a stripe as a picture shows it.
struct GridMark {
  enum class Kind {
    kData,       ///< holds data, and is in none of the sums shown
    kRedundant,  ///< holds redundancy, and is neither kTerm nor kTarget
    kTerm,       ///< is in a sum shown
    kTermOfAll,  ///< is in every one of several sums
    kTarget,     ///< is a sum shown
  };
  Kind kind = Kind::kData;
  /// Letters of the sums that have the cell as a term, or its factor in hexadecimal digits. A
  /// target has = and its own letter behind them.
  std::string text;
  std::size_t sum = 0;  ///< kTerm, kTarget: the number of the sum; of two, the first
};

/// Sums of a code over the array of its cells: a column for each location, a row for each
/// sub-chunk.
///
/// If locations have one cell, a grid has a row for each sum instead.
struct CodeGrid {
  std::string title;
  std::vector<std::string> row_names;
  std::vector<std::vector<GridMark>> rows;
};

/// The most grids, rows and locations that a picture has.
inline constexpr std::size_t kMostGrids = 16;
inline constexpr std::size_t kMostGridRows = 256;
inline constexpr std::size_t kMostGridColumns = 256;

/// The most sums of one grid that get letters.
inline constexpr std::size_t kMostLetters = 52;

/// Returns the terms of each redundant cell (sums_of_redundancy): one grid per redundant location,
/// or per redundant row of locations that also hold data. If the sums of a grid overlap too much
/// for letters, only the first is shown, with its factors.
///
/// Errors: throws kInvalidArgument if a code has more rows or locations than a grid may.
std::vector<CodeGrid> grids_of(const Code& code);

/// A legend for the marks of a code's grids, in a sentence or two.
std::string grids_legend(const Code& code, const std::vector<CodeGrid>& grids);

/// Letter of a sum: A, B, …, Z, a, …, z.
///
/// Shape: number < kMostLetters.
std::string sum_letter(std::size_t number);

}  // namespace xorloom
