#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "gen/pictures/chart_axes.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr double kWidestBar = 34;
constexpr double kValueLetter = 6.6;
constexpr double kValueHeight = 12;
/// Height of a small plot, less what ticks leave above the values.
constexpr double kLeastHeight = 160;
constexpr double kValueRoom = 14;  ///< height of a horizontal value above its bar

constexpr const char* kBoundStroke = "stroke-width=\"2\" stroke-dasharray=\"5 3\"";

/// Share of a category's width that its bars take.
constexpr double kBarsOfGroup = 0.84;

/// Height or width of a name turned by 45 degrees, in lengths of the name.
constexpr double kSlant = 0.71;

std::vector<double> values_of(const BarChart& chart) {
  check_number_of_series(chart.series.size());
  const std::size_t bars = chart.categories.size() * chart.series.size();
  if (bars < 1 || bars > kMostBars) {
    fail(Status::kInvalidArgument, "{} bars of a chart are not one of 1 to {}", bars, kMostBars);
  }
  std::vector<double> values;
  for (const BarChart::Series& series : chart.series) {
    if (series.values.size() != chart.categories.size()) {
      fail(Status::kInvalidArgument, "{} values of {} are not one for each of {} categories",
           series.values.size(), series.name, chart.categories.size());
    }
    for (const double value : series.values) {
      if (std::isnan(value)) continue;
      if (value < 0) fail(Status::kInvalidArgument, "a bar is {}, below 0", value);
      values.push_back(value);
    }
  }
  for (const std::optional<double>& bound : chart.bounds) {
    if (bound) values.push_back(*bound);
  }
  if (chart.holds > 0) values.push_back(chart.holds);
  return values;
}

/// A value above a bar and in its title.
std::string value_text(const BarChart& chart, double value) {
  return chart.has_two_decimals ? fmt::format("{:.2f}", value) : fmt::format("{:.6g}", value);
}

class Bars {
 public:
  Bars(const BarChart& chart, const std::vector<double>& values)
      : chart_(chart),
        is_upright_(has_upright_values(chart, values)),
        ys_({.title = chart.value_title, .from_zero = true},
            with_headroom(chart, values, is_upright_), most_y_ticks(chart.size)),
        names_width_(width_of_names(chart)),
        is_flat_(names_width_ + 6 <= usual_group(chart)),
        plot_(chart.size, ys_, least_left(chart, is_flat_, names_width_)),
        group_(plot_.width() / real(chart.categories.size())),
        width_(std::min(kWidestBar, group_ * kBarsOfGroup / real(chart.series.size()))) {}

  Picture picture() {
    plot_.draw_y_axis(ys_, drawing_);
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
      for (std::size_t s = 0; s < chart_.series.size(); ++s) draw_bar(c, s);
      if (c < chart_.bounds.size() && chart_.bounds[c]) draw_bound(c, *chart_.bounds[c]);
      draw_name(c);
    }
    plot_.draw_frame(false, false, drawing_);
    const double names_height = is_flat_ ? 24 : 18 + names_width_ * kSlant;
    return plot_.picture(chart_.title, chart_.note, names_height, legend(), drawing_);
  }

 private:
  static double real(std::size_t number) { return static_cast<double>(number); }

  /// Width of a category before the width of the axis is known.
  static double usual_group(const BarChart& chart) {
    return usual_width(chart.size) / real(chart.categories.size());
  }

  static double longest_value(const BarChart& chart, const std::vector<double>& values) {
    std::size_t longest = 1;
    for (const double value : values) {
      longest = std::max(longest, value_text(chart, value).size());
    }
    return real(longest) * kValueLetter;
  }

  /// True if bars are too narrow for a horizontal value, but not for an upright one.
  static bool has_upright_values(const BarChart& chart, const std::vector<double>& values) {
    const double bar =
        std::min(kWidestBar, usual_group(chart) * kBarsOfGroup / real(chart.series.size()));
    return chart.series.size() > 1 && bar >= kValueHeight && longest_value(chart, values) > bar;
  }

  /// Returns the values and one more, so great that the text of the greatest has room above its
  /// bar.
  static std::vector<double> with_headroom(const BarChart& chart, std::vector<double> values,
                                           bool is_upright) {
    if (values.empty()) return values;
    const double greatest = *std::ranges::max_element(values);
    const double room = is_upright ? longest_value(chart, values) + 8 : kValueRoom;
    const double top = greatest * (1 + room / kLeastHeight);
    values.push_back(greatest == std::round(greatest) ? std::ceil(top) : top);
    return values;
  }

  static double width_of_names(const BarChart& chart) {
    std::size_t longest = 0;
    for (const std::string& name : chart.categories) {
      longest = std::max(longest, text_width(name, 1));
    }
    return real(longest) * kTickLetter;
  }

  /// Least room at the left: slanted names begin left of the first bar.
  static double least_left(const BarChart& chart, bool is_flat, double names_width) {
    if (is_flat) return 0;
    return kPageMargin + names_width * kSlant - usual_group(chart) / 2;
  }

  double middle_of(std::size_t category) const {
    return plot_.left() + (real(category) + 0.5) * group_;
  }

  void draw_bar(std::size_t category, std::size_t number) {
    const BarChart::Series& series = chart_.series[number];
    const double value = series.values[category];
    const double left =
        middle_of(category) + (real(number) - real(chart_.series.size()) / 2) * width_;
    if (std::isnan(value)) {
      drawing_.text(left + width_ / 2, plot_.bottom() - 4, "small halo over", "–");
      return;
    }
    const double top = plot_.y(ys_.at(value));
    const bool is_bound = std::ranges::find(series.at_most, category) != series.at_most.end();
    const std::string text = (is_bound ? "≤ " : "") + value_text(chart_, value);
    const std::size_t number_of_ink =
        chart_.has_ink_by_category ? ink_of(category) : series.ink.value_or(number);
    drawing_.line(path(fmt::format("done {}", number_of_ink % kInks),
                       fmt::format("M{:.5g} {:.5g}V{:.5g}h{:.4g}V{:.5g}z", left + 1, plot_.bottom(),
                                   top, std::max(0.5, width_ - 2), plot_.bottom()),
                       fmt::format("{}{}{}: {}", chart_.categories[category],
                                   series.name.empty() ? "" : ", ", series.name, text)));
    const double room = chart_.series.size() == 1 ? group_ : width_;
    if (is_upright_) {
      drawing_.turned_text(left + width_ / 2 + 4, top - 4, -90, "small halo over start", text);
    } else if (real(text_width(text, 1)) * kValueLetter <= room) {
      drawing_.text(left + width_ / 2, top - 4, "small halo over", text);
    }
  }

  std::size_t ink_of(std::size_t category) const {
    return category < chart_.inks.size() ? chart_.inks[category] : category;
  }

  /// Draws a line across the bars of a category, and a little beyond.
  void draw_bound(std::size_t category, double bound) {
    const double half = real(chart_.series.size()) / 2 * width_ + 5;
    drawing_.line(fmt::format("<g class=\"{}\">{}</g>", ink(kInks - 1),
                              path("line",
                                   fmt::format("M{:.5g} {:.5g}h{:.4g}", middle_of(category) - half,
                                               plot_.y(ys_.at(bound)), 2 * half),
                                   fmt::format("{}, {}: {}", chart_.categories[category],
                                               chart_.bound_name, value_text(chart_, bound)),
                                   kBoundStroke)));
  }

  void draw_name(std::size_t category) {
    const double middle = middle_of(category);
    const std::string& name = chart_.categories[category];
    if (is_flat_) {
      drawing_.text(middle, plot_.bottom() + 18, "name", name);
    } else {
      drawing_.turned_text(middle + 6, plot_.bottom() + 16, -45, "name end", name);
    }
  }

  std::vector<LegendEntry> legend() const {
    std::vector<LegendEntry> legend;
    for (std::size_t c = 0; c < std::min(chart_.meanings.size(), chart_.categories.size()); ++c) {
      legend.push_back({fmt::format("{}: {}", chart_.categories[c], chart_.meanings[c]),
                        ink(ink_of(c)), path("done", "M6 -6h14v12h-14z")});
    }
    for (std::size_t s = 0; s < chart_.series.size() && !chart_.has_ink_by_category; ++s) {
      legend.push_back({chart_.series[s].name, ink(chart_.series[s].ink.value_or(s)),
                        path("done", "M6 -6h14v12h-14z")});
    }
    if (std::ranges::any_of(chart_.bounds, [](const auto& bound) { return bound.has_value(); })) {
      legend.push_back({chart_.bound_name, ink(kInks - 1),
                        path("line", fmt::format("M0 0h{}", kSampleWidth), "", kBoundStroke)});
    }
    return legend;
  }

  const BarChart& chart_;
  bool is_upright_;  ///< values above bars are upright
  ChartScale ys_;
  double names_width_;
  bool is_flat_;
  Plot plot_;
  double group_;  ///< width of a category
  double width_;  ///< width of a bar
  Drawing drawing_;
};

}  // namespace

Picture draw_bars(const BarChart& chart) { return Bars(chart, values_of(chart)).picture(); }

}  // namespace xorloom
