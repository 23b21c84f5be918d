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
    kLinear,  ///< from 0 where the values fill half of that; else its cut end has a mark
    kLog2,
    kLog10,
    kTail,  ///< shares below 1, as far apart as logarithms of what they leave: 0, 90, 99, 99.9 %
  };
  std::string title;
  Scale scale = Scale::kLinear;
  bool from_zero = false;  ///< linear: 0 is on the axis
  bool is_bytes = false;   ///< numbers are written as bytes: 64 KiB
  bool has_few = false;    ///< logarithmic: its ticks are the values, where these are few
  double bound = 0;        ///< from_zero: what no value is below, which is on the axis instead of 0
  std::vector<double> holds{};  ///< what is on the axis beside the values of the points
  bool is_open = false;         ///< linear: its greatest value is its end, behind the last tick
};

/// Points of one name. Those of a line go in the order given.
struct ChartSeries {
  enum class Form : std::uint8_t {
    kLine,     ///< from point to point, each with a marker
    kSteps,    ///< the value holds until the next point, with markers
    kLevels,   ///< the same without markers
    kMarkers,  ///< no line
    kPlain,    ///< a line without markers
  };
  std::string name;
  std::vector<std::pair<double, double>> points;
  Form form = Form::kLine;
  bool is_dashed = false;             ///< and has no markers: a limit, or a model
  std::vector<std::string> labels{};  ///< beside the points; fewer than these, or none, will do
  std::optional<std::size_t> ink{};   ///< the number of its color and marker; none: its place
  bool is_in_legend = true;           ///< false where a legend of several charts has it
  std::vector<std::string> titles{};  ///< of the points, if not the series' name; as many, or none
  /// Where a line without markers has some after all: lines that coincide are told apart by them.
  std::vector<std::pair<double, double>> marks{};
  std::vector<std::size_t> ringed{};  ///< numbers of points with a ring around their markers
  std::vector<std::size_t> breaks{};  ///< numbers of points that no line leads to: one is unknown
};

/// A part of the axis at the bottom that has a name above the plot. What is between two bands
/// belongs to neither.
struct ChartBand {
  std::string name;
  double from;
  double to;
};

/// The room of a chart: three small ones stand side by side on a page, and one on a phone.
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

/// Series of a chart: past kInks they have colors again, but other dashes.
inline constexpr std::size_t kMostSeries = 16;

/// An axis that begins elsewhere than at 0 has a mark there, and the note says so.
///
/// Errors: throws kInvalidArgument for no series or more than kMostSeries, for no points at all,
///         and for values that are not finite or have no logarithm where the scale is one.
Picture draw_chart(const Chart& chart);

/// The entry of a series that has that number's color and marker.
LegendEntry legend_entry(const ChartSeries& series, std::size_t number);

/// The entry of points that are ringed, in that number's color.
LegendEntry ring_entry(std::string name, std::size_t number);

/// Bars side by side, by category, and in it by series.
struct BarChart {
  struct Series {
    std::string name;
    std::vector<double> values;        ///< one for each category; NaN, a dash, where there is none
    std::optional<std::size_t> ink{};  ///< the number of its color; none: its place
    std::vector<std::size_t> at_most{};  ///< categories whose values are upper bounds: ≤ 5.75
  };
  std::string title;
  std::string value_title;  ///< of the axis that bars stand on, from 0
  std::vector<std::string> categories;
  std::vector<Series> series;
  std::string note{};
  ChartSize size = ChartSize::kLarge;
  bool has_ink_by_category = false;     ///< where there is one series, which the legend leaves out
  std::vector<std::size_t> inks{};      ///< of the categories then; none: their places
  std::vector<std::string> meanings{};  ///< of the categories, which the legend has; or none
  double holds = 0;                     ///< what the axis has room for beside the values
  std::string bound_name{};             ///< of a dashed line across the bars of each category
  std::vector<std::optional<double>> bounds{};  ///< where it is, one for each category; or none
  bool has_two_decimals = false;                ///< of all values: 7.00 beside 7.29
};

inline constexpr std::size_t kMostBars = 512;

/// Each bar has its value above it where there is room, upright in a chart of narrow bars, and in
/// its title.
///
/// Errors: throws kInvalidArgument for no bars or more than kMostBars, for more than kMostSeries,
///         and for values that are negative or not finite.
Picture draw_bars(const BarChart& chart);

}  // namespace xorloom
