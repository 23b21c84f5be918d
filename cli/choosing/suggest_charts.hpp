#pragma once

#include <vector>

#include "cli/choosing/suggest.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {

/// Charts with a mark per code: repair reads over storage, repair reads over encoding speed, and
/// decoding speed over encoding speed. The last one has only codes that survive any m losses. Codes
/// of a kind at the same place share a mark. The pictures have no legend: see suggestion_legend.
///
/// Result: a chart without codes is left out.
std::vector<Picture> suggestion_charts(const Suggestions& suggestions, ChartSize size);

/// Color and marker of each kind of code, and the ring of the recommended code.
std::vector<LegendEntry> suggestion_legend(const Suggestions& suggestions);

}  // namespace xorloom::cli
