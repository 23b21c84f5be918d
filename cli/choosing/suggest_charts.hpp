#pragma once

#include <vector>

#include "cli/choosing/suggest.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {

/// Codes as marks: what is stored against what a repair reads, the speed of encoding against that
/// of decoding, and against what a repair reads. Marks are the fastest code of each family, the
/// fastest on words and those that are not ranked, as many as a chart has. Codes at the same place
/// share a mark.
///
/// Shape: none where there are no codes. The pictures have no legend.
std::vector<Picture> suggestion_charts(const Suggestions& suggestions, ChartSize size);

/// The kinds of codes that the marks tell apart.
std::vector<LegendEntry> suggestion_legend(const Suggestions& suggestions);

}  // namespace xorloom::cli
