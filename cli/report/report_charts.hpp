#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/report/report.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {

/// Sets that charts have; the others are in tables alone. In all charts of a report a set has one
/// color and marker, and one legend names them.
inline constexpr std::size_t kMostChartSets = 16;

/// Whether there are several codes.
bool has_codes(const Report& report);

/// "2 · iterative": as in the table.
std::string numbered(const Report& report, const ReportSet& set);

/// The same, with the name of the code where there are several.
std::string numbered_of_code(const Report& report, const ReportSet& set);

/// XORs over steps, as far as a search found them, with the sets of that code that lie there.
Picture front_picture(const Report& report, const Front& front);

std::vector<LegendEntry> sets_legend(const Report& report);

/// Small charts to see first, the most telling before all: XORs with their lower bounds, steps by
/// cores, lookup tables of engines, what a rebuild reads, and GB/s by the size of a chunk, each
/// where the report has such figures.
std::vector<Picture> first_charts(const Report& report);

/// GB/s against the bytes of a chunk, for the sets of a code: predicted and measured, with the
/// limit. None where nothing was measured: first_charts have what is predicted.
std::optional<Picture> speed_chart(const Report& report, std::span<const ReportSet> sets);

/// Single calls, where they were timed.
std::optional<Picture> latency_chart(const Report& report);

}  // namespace xorloom::cli
