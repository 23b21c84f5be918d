#pragma once

#include <string>
#include <vector>

#include "cli/document/figures.hpp"

namespace xorloom::cli {

/// Figures of sets below a common heading.
struct FigureBlock {
  std::string heading;
  std::vector<Figure> figures;
};

/// All figures of the sets. `report`: data of report_data().
std::vector<FigureBlock> all_figures(const Json& report);

/// The figures that readers look for first. All numbers of cores are in one block.
std::vector<FigureBlock> main_figures(const Json& report);

/// A row per figure, a column per set. Figures and blocks without any value are left out.
std::vector<TableBlock> rows_of_sets(const Json& report, const std::vector<FigureBlock>& blocks);

/// True if the speeds of some set were measured.
bool has_measured(const Json& report);

}  // namespace xorloom::cli
