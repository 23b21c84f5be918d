#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gen/pictures/drawing.hpp"

namespace xorloom {

struct ChartAxis {
  enum class Scale : std::uint8_t {
    /// From 0 if the lowest value is at most half of the highest; else its cut end has a mark.
    kLinear,
    kLog2,
    kLog10,
    kTail,  ///< shares below 1 on a logarithmic scale of 1 - share: 0, 90, 99, 99.9 %
  };
  std::string title;
  Scale scale = Scale::kLinear;
  bool from_zero = false;  ///< linear: 0 is on the axis
  bool is_bytes = false;   ///< numbers are written as bytes: 64 KiB
  bool has_few = false;    ///< logarithmic: its ticks are the values, if these are few
  double bound = 0;  ///< from_zero: a lower bound of the values, which is on the axis instead of 0
  std::vector<double> holds{};  ///< numbers on the axis besides the values of the points
  bool is_open = false;  ///< linear: the axis ends at its greatest value, behind the last tick
};

/// Points of one name. Those of a line go in the order given.
struct ChartSeries {
  enum class Form : std::uint8_t {
    kLine,     ///< from point to point, each with a marker
    kSteps,    ///< the value holds until the next point, with markers
    kLevels,   ///< kSteps without markers
    kMarkers,  ///< no line
    kPlain,    ///< a line without markers
  };
  std::string name;
  std::vector<std::pair<double, double>> points;
  Form form = Form::kLine;
  bool is_dashed = false;             ///< a limit or a model: dashed, without markers
  std::vector<std::string> labels{};  ///< labels beside the points; may be fewer than points
  std::optional<std::size_t> ink{};   ///< number of its color and marker; nullopt: its index
  bool is_in_legend = true;           ///< false if a legend of several charts has it
  std::vector<std::string> titles{};  ///< titles of points; the series' name for points without one
  /// Points with markers on a line without markers, to tell coinciding lines apart.
  std::vector<std::pair<double, double>> marks{};
  std::vector<std::size_t> ringed{};  ///< indices of points with a ring around their markers
  /// Indices of points that no line leads to: a value before them is unknown.
  std::vector<std::size_t> breaks{};
};

/// A part of the axis at the bottom that has a name above the plot. Gaps between bands belong to
/// none.
struct ChartBand {
  std::string name;
  double from;
  double to;
};

/// Size of a chart: three small ones are side by side on a page, and one on a phone.
enum class ChartSize : std::uint8_t { kLarge, kSmall };

/// Series over two axes, each in a color and with a marker of its own, which the legend names.
struct Chart {
  std::string title;
  ChartAxis x;
  ChartAxis y;
  std::vector<ChartSeries> series;
  std::string note{};
  ChartSize size = ChartSize::kLarge;
  std::vector<ChartBand> bands{};  ///< from left to right
};

/// Most series of a chart: past kInks, colors repeat with other dashes.
inline constexpr std::size_t kMostSeries = 16;

/// Draws a chart. An axis that does not begin at 0 has a mark there, and the note says so.
///
/// Errors: throws kInvalidArgument for no series or more than kMostSeries, for no points at all,
///         and for values that are not finite or have no logarithm on a logarithmic scale.
Picture draw_chart(const Chart& chart);

/// Legend entry of a series with the color and the marker of `number`.
LegendEntry legend_entry(const ChartSeries& series, std::size_t number);

/// Legend entry of ringed points, in the color of `number`.
LegendEntry ring_entry(std::string name, std::size_t number);

/// Bars side by side, by category, and in it by series.
struct BarChart {
  struct Series {
    std::string name;
    std::vector<double> values;          ///< one for each category; NaN: no value, drawn as a dash
    std::optional<std::size_t> ink{};    ///< number of its color; nullopt: its index
    std::vector<std::size_t> at_most{};  ///< categories whose values are upper bounds: ≤ 5.75
  };
  std::string title;
  std::string value_title;  ///< title of the axis that bars stand on, from 0
  std::vector<std::string> categories;
  std::vector<Series> series;
  std::string note{};
  ChartSize size = ChartSize::kLarge;
  bool has_ink_by_category = false;  ///< if there is one series; the legend then leaves it out
  std::vector<std::size_t> inks{};   ///< colors of the categories then; empty: their indices
  /// Meanings of the categories, shown in the legend; may be empty.
  std::vector<std::string> meanings{};
  double holds = 0;          ///< a number on the axis besides the values
  std::string bound_name{};  ///< name of a dashed line across the bars of each category
  /// values of the dashed lines, one for each category; may be empty
  std::vector<std::optional<double>> bounds{};
  bool has_two_decimals = false;  ///< for all values: 7.00 beside 7.29
};

inline constexpr std::size_t kMostBars = 512;

/// Draws a bar chart. The value of a bar is in its title, and above the bar if there is room:
/// upright in a chart of narrow bars.
///
/// Errors: throws kInvalidArgument for no bars or more than kMostBars, for more than kMostSeries,
///         and for values that are negative or not finite.
Picture draw_bars(const BarChart& chart);

}  // namespace xorloom
