#pragma once

#include <string>
#include <vector>

#include "cli/document/figures.hpp"

namespace xorloom::cli {

/// Figures of a report's sets below a heading.
struct FigureBlock {
  std::string heading;
  std::vector<Figure> figures;
};

/// All figures of a report's sets, by the report's data.
std::vector<FigureBlock> all_figures(const Json& report);

/// Those that people look for first, with all numbers of cores in one block.
std::vector<FigureBlock> main_figures(const Json& report);

/// The figures as rows, with a column for each set; blocks without one are left out.
std::vector<TableBlock> rows_of_sets(const Json& report, const std::vector<FigureBlock>& blocks);

/// True if speeds of a set were measured.
bool has_measured(const Json& report);

}  // namespace xorloom::cli
