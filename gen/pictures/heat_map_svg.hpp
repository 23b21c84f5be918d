#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Ratios by row and column. 1 is even; nullopt: there is none.
struct HeatMap {
  std::string head;
  std::string note;     ///< a line that explains a ratio
  std::string columns;  ///< heading above the columns
  std::vector<std::string> column_names;
  std::vector<std::string> row_names;
  std::vector<std::vector<std::optional<double>>> ratios;  ///< a row for each of row_names
};

/// Draws a heat map: ratios above 1 blue and those below 1 red, darker the further they are from 1.
/// Each cell has its number, so that nothing is said by color alone.
Picture draw_heat_map(const HeatMap& map);

}  // namespace xorloom
