#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/report/report.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {

/// The most sets in a chart; further sets are in the tables only. A set has the same color and
/// marker in all charts of a report, and one legend names them.
inline constexpr std::size_t kMostChartSets = 16;

/// True if the sets are of several codes. Precondition: group_by_code sorted the sets.
bool has_codes(const Report& report);

/// Number and short name of a set, as in the table: "2 · iterative".
std::string numbered(const Report& report, const ReportSet& set);

/// numbered(), and the title of the code if has_codes().
std::string numbered_of_code(const Report& report, const ReportSet& set);

/// Chart of XORs over steps. Sets of the report that lie on the front have markers.
Picture front_picture(const Report& report, const Front& front);

/// The common legend of all charts: color and marker of each set.
std::vector<LegendEntry> sets_legend(const Report& report);

/// Small charts, the most important first: XORs with lower bounds, steps by cores, lookup tables of
/// engines, bytes read by a rebuild, and GB/s by chunk size. A chart without figures is left out.
std::vector<Picture> first_charts(const Report& report);

/// GB/s by chunk size for the sets of one code: predicted, measured, and the limit. nullopt if
/// nothing was measured: the predictions alone are in first_charts.
std::optional<Picture> speed_chart(const Report& report, std::span<const ReportSet> sets);

/// Distribution of the times of single calls; nullopt if none were timed.
std::optional<Picture> latency_chart(const Report& report);

}  // namespace xorloom::cli
