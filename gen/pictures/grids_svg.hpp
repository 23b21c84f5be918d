#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// A picture of a code: the array of its cells, with the terms of each redundant cell.
///
/// Errors: as grids_of.
Picture draw_code(const Code& code);

/// The reads of a repair, as a picture shows them.
struct ReadsPicture {
  std::string title;
  std::string note;  ///< line below the grid
  std::size_t locations = 0;
  std::size_t cells = 0;  ///< cells of a location that can be read separately
  std::vector<std::size_t> lost;
  std::vector<Cell> read;  ///< location·cells + cell, ascending
};

/// Draws the reads of repairs side by side. Each location is a column of the same height, cut into
/// its cells. The cells that are read and the lost locations are marked.
///
/// Errors: throws kInvalidArgument for more than kMostGridColumns locations or kMostGridRows cells.
Picture draw_reads(std::span<const ReadsPicture> pictures);

}  // namespace xorloom
