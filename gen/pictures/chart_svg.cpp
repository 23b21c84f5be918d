#include "gen/pictures/chart_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "codes/text/error.hpp"
#include "gen/pictures/chart_axis.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr double kPlotWidth = 640;
constexpr double kPlotHeight = 360;
constexpr double kTop = kPageMargin + kPageHeadHeight;
constexpr double kTickLetter = 7;
constexpr double kLegendLine = 20;
constexpr double kLegendGap = 20;
constexpr double kSample = 26;  ///< of a line, in the legend
constexpr double kLegendLetter = 7.2;
constexpr double kBelow = 46;  ///< ticks and title of the axis at the bottom
constexpr double kWidestBar = 34;
constexpr double kSlant =
    0.71;  ///< height or width of a name that is turned by 45 degrees, to its length

/// Markers around 0, 0, by the number of a series.
constexpr std::array<const char*, kInks> kMarkers = {
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",                           // disk
    "m-3.5 -3.5h7v7h-7z",                                            // square
    "m0 -4.5l4.5 8h-9z",                                             // triangle
    "m0 -5l5 5l-5 5l-5 -5z",                                         // diamond
    "m0 4.5l4.5 -8h-9z",                                             // triangle on its tip
    "m-1.3 -4.5h2.6v3.2h3.2v2.6h-3.2v3.2h-2.6v-3.2h-3.2v-2.6h3.2z",  // cross
    "m-4.5 -2h9v4h-9z",                                              // bar
    "m0 -5l1.4 3.3 3.6 .3-2.7 2.4.8 3.5-3.1-1.9-3.1 1.9.8-3.5-2.7-2.4 3.6-.3z",  // star
};

/// Of lines, in turn where colors come again.
constexpr std::array kDashes = {"", "7 4", "2 3"};

std::string dash_of(const ChartSeries& series, std::size_t number) {
  const std::size_t turn = number / kInks + (series.is_dashed ? 1 : 0);
  const std::string dash = kDashes[turn % kDashes.size()];
  return dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash);
}

bool has_line(const ChartSeries& series) { return series.form != ChartSeries::Form::kMarkers; }
bool has_markers(const ChartSeries& series) { return series.form != ChartSeries::Form::kPlain; }

void check_series(std::size_t series) {
  if (series >= 1 && series <= kMostSeries) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} series of a chart are not one of 1 to {}", series, kMostSeries));
}

/// The plot with its axes; what is in it comes from elsewhere.
class Plot {
 public:
  Plot(const std::vector<Tick>& y_ticks, double least_left) {
    std::size_t widest = 1;
    for (const Tick& tick : y_ticks) widest = std::max(widest, tick.label.size());
    left_ = std::max(least_left, kPageMargin + 26 + static_cast<double>(widest) * kTickLetter + 8);
  }

  double left() const { return left_; }
  double right() const { return left_ + kPlotWidth; }
  double bottom() const { return kTop + kPlotHeight; }
  double x(double share) const { return left_ + share * kPlotWidth; }
  double y(double share) const { return bottom() - share * kPlotHeight; }

  void draw_y_axis(const ChartScale& scale, const std::string& title, Drawing& drawing) const {
    std::string path;
    for (const Tick& tick : scale.ticks()) {
      const double at = y(scale.at(tick.value));
      path += fmt::format("M{:.6g} {:.6g}h{}", left_, at, kPlotWidth);
      drawing.text(left_ - 8, at + 4, "name end", tick.label);
    }
    drawing.line(fmt::format("<path class=\"xl-rule\" d=\"{}\"/>", path));
    drawing.line(
        fmt::format("<text transform=\"translate({} {}) rotate(-90)\" class=\"xl-name\">{}</text>",
                    kPageMargin + 12, kTop + kPlotHeight / 2, escaped(title)));
  }

  void draw_x_axis(const ChartScale& scale, const std::string& title, Drawing& drawing) const {
    std::string path;
    for (const Tick& tick : scale.ticks()) {
      const double at = x(scale.at(tick.value));
      path += fmt::format("M{:.6g} {:.6g}v{}", at, kTop, kPlotHeight);
      drawing.text(at, bottom() + 18, "name", tick.label);
    }
    drawing.line(fmt::format("<path class=\"xl-rule\" d=\"{}\"/>", path));
    draw_x_title(title, drawing);
  }

  void draw_x_title(const std::string& title, Drawing& drawing) const {
    drawing.text(left_ + kPlotWidth / 2, bottom() + 38, "name", title);
  }

  void draw_frame(Drawing& drawing) const {
    drawing.line(fmt::format("<path class=\"xl-frame\" d=\"M{:.6g} {}v{}h{}\"/>", left_, kTop,
                             kPlotHeight, kPlotWidth));
  }

 private:
  double left_;
};

/// What a legend takes, and the picture with it: at the right of the plot.
Picture with_legend(const Plot& plot, const std::string& title, const std::string& note,
                    double bottom, const std::vector<std::string>& names,
                    const std::vector<std::string>& samples, Drawing drawing) {
  const double left = plot.right() + kLegendGap;
  std::size_t longest = 0;
  double y = kTop + 12;
  const bool has_names = std::ranges::any_of(names, [](const auto& name) { return !name.empty(); });
  for (std::size_t i = 0; has_names && i < names.size(); ++i, y += kLegendLine) {
    longest = std::max(longest, text_width(names[i], 1));
    drawing.line(fmt::format("<g class=\"{}\" transform=\"translate({:.6g} {:.6g})\">{}</g>",
                             ink(i), left, y, samples[i]));
    drawing.text(left + kSample + 8, y + 4, "start", names[i]);
  }
  const double right =
      has_names ? left + kSample + 8 + static_cast<double>(longest) * kLegendLetter : plot.right();
  const auto lines = static_cast<double>(std::ranges::count(note, '\n') + (note.empty() ? 0 : 1));
  std::size_t note_width = 0;
  for (std::size_t from = 0; from < note.size();) {
    const std::size_t to = std::min(note.find('\n', from), note.size());
    note_width = std::max(note_width, text_width(note.substr(from, to - from), kNoteLetter));
    from = to + 1;
  }
  const double text =
      static_cast<double>(std::max(text_width(title, kHeadLetter), note_width)) + kPageMargin;
  return {static_cast<std::size_t>(std::ceil(std::max(right, text))) + kPageMargin,
          static_cast<std::size_t>(std::ceil(std::max(bottom, y) + lines * 18)) + kPageMargin,
          title,
          note,
          drawing.so_far(),
          false};
}

/// Places of labels that are in the way of others.
class Labels {
 public:
  /// Beside a point, where it covers no label that is there already; above it, below, left of it.
  void place(double x, double y, const std::string& text, double right, Drawing& drawing) {
    const double width = static_cast<double>(text_width(text, 1)) * 6.5;
    struct Try {
      double x, y;
      const char* styles;
      double from;
    };
    const std::array<Try, 4> tries = {{{x + 8, y - 6, "small halo over start", x + 8},
                                       {x + 8, y + 14, "small halo over start", x + 8},
                                       {x - 8, y - 6, "small halo over end", x - 8 - width},
                                       {x - 8, y + 14, "small halo over end", x - 8 - width}}};
    for (const Try& t : tries) {
      if (t.from + width > right) continue;
      const bool is_free = std::ranges::none_of(taken_, [&](const Box& box) {
        return t.from < box.right && t.from + width > box.left && std::abs(t.y - box.y) < 13;
      });
      if (!is_free) continue;
      taken_.push_back({t.from, t.from + width, t.y});
      drawing.text(t.x, t.y, t.styles, text);
      return;
    }
  }

 private:
  struct Box {
    double left, right, y;
  };
  std::vector<Box> taken_;
};

void draw_series(const Chart& chart, std::size_t number, const Plot& plot, const ChartScale& xs,
                 const ChartScale& ys, Drawing& drawing) {
  const ChartSeries& series = chart.series[number];
  std::string path;
  double last_y = 0;
  for (std::size_t i = 0; has_line(series) && i < series.points.size(); ++i) {
    const double x = plot.x(xs.at(series.points[i].first));
    const double y = plot.y(ys.at(series.points[i].second));
    if (series.form == ChartSeries::Form::kSteps && i > 0) {
      path += fmt::format("H{:.5g}V{:.5g}", x, y);
    } else {
      path += fmt::format("{}{:.5g} {:.5g}", i == 0 ? "M" : "L", x, y);
    }
    last_y = y;
  }
  if (has_line(series) && series.points.size() == 1) {
    path += fmt::format("V{:.5g}", last_y);
  }
  drawing.line(fmt::format("<g class=\"{}\">", ink(number)));
  const std::string name = escaped(series.name);
  if (!path.empty()) {
    drawing.line(fmt::format("<path class=\"xl-line\" stroke-width=\"2\"{} d=\"{}\">{}</path>",
                             dash_of(series, number), path,
                             name.empty() ? "" : fmt::format("<title>{}</title>", name)));
  }
  for (const auto& point : series.points) {
    if (!has_markers(series)) break;
    drawing.line(
        fmt::format("<path class=\"xl-fill\" d=\"M{:.5g} {:.5g}{}\"><title>{}{}, {}"
                    "</title></path>",
                    plot.x(xs.at(point.first)), plot.y(ys.at(point.second)),
                    kMarkers[number % kInks], name.empty() ? "" : name + ": ",
                    number_text(chart.x, point.first), number_text(chart.y, point.second)));
  }
  drawing.line("</g>");
}

std::string sample_of(const ChartSeries& series, std::size_t number) {
  std::string sample;
  if (has_line(series)) {
    sample += fmt::format("<path class=\"xl-line\" stroke-width=\"2\"{} d=\"M0 0h{}\"/>",
                          dash_of(series, number), kSample);
  }
  if (has_markers(series)) {
    sample += fmt::format("<path class=\"xl-fill\" d=\"M{} 0{}\"/>", kSample / 2,
                          kMarkers[number % kInks]);
  }
  return sample;
}

/// Ticks of the axis at the bottom, that do not run into one another.
std::size_t most_x_ticks(const ChartAxis& axis, const std::vector<double>& values) {
  std::size_t longest = 4;
  for (const double value : values) {
    if (std::isfinite(value)) {
      longest = std::max(longest, std::min<std::size_t>(8, number_text(axis, value).size()));
    }
  }
  return static_cast<std::size_t>(kPlotWidth / (static_cast<double>(longest) * kTickLetter + 16));
}

}  // namespace

Picture draw_chart(const Chart& chart) {
  check_series(chart.series.size());
  std::vector<double> x_values;
  std::vector<double> y_values;
  for (const ChartSeries& series : chart.series) {
    for (const auto& point : series.points) {
      x_values.push_back(point.first);
      y_values.push_back(point.second);
    }
  }
  if (x_values.empty()) fail(Status::kInvalidArgument, "a chart has no points");
  const ChartScale xs(chart.x, x_values, most_x_ticks(chart.x, x_values));
  const ChartScale ys(chart.y, y_values, 9);
  const Plot plot(ys.ticks(), 0);
  Drawing drawing;
  plot.draw_y_axis(ys, chart.y.title, drawing);
  plot.draw_x_axis(xs, chart.x.title, drawing);
  plot.draw_frame(drawing);
  std::vector<std::string> names;
  std::vector<std::string> samples;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    draw_series(chart, i, plot, xs, ys, drawing);
    names.push_back(chart.series[i].name);
    samples.push_back(sample_of(chart.series[i], i));
  }
  Labels labels;
  for (const ChartSeries& series : chart.series) {
    for (std::size_t i = 0; i < std::min(series.labels.size(), series.points.size()); ++i) {
      if (series.labels[i].empty()) continue;
      labels.place(plot.x(xs.at(series.points[i].first)), plot.y(ys.at(series.points[i].second)),
                   series.labels[i], plot.right(), drawing);
    }
  }
  return with_legend(plot, chart.title, chart.note, plot.bottom() + kBelow, names, samples,
                     drawing);
}

Picture draw_bars(const BarChart& chart) {
  check_series(chart.series.size());
  const std::size_t bars = chart.categories.size() * chart.series.size();
  if (bars < 1 || bars > kMostBars) {
    fail(Status::kInvalidArgument,
         fmt::format("{} bars of a chart are not one of 1 to {}", bars, kMostBars));
  }
  std::vector<double> values;
  for (const BarChart::Series& series : chart.series) {
    if (series.values.size() != chart.categories.size()) {
      fail(Status::kInvalidArgument,
           fmt::format("{} values of {} are not one for each of {} categories",
                       series.values.size(), series.name, chart.categories.size()));
    }
    for (const double value : series.values) {
      if (value < 0) fail(Status::kInvalidArgument, fmt::format("a bar is {}, below 0", value));
      values.push_back(value);
    }
  }
  const ChartAxis axis{chart.value_title, ChartAxis::Scale::kLinear, true, false};
  const ChartScale ys(axis, values, 9);
  std::size_t longest = 0;
  for (const std::string& name : chart.categories) {
    longest = std::max(longest, text_width(name, 1));
  }
  const double group = kPlotWidth / static_cast<double>(chart.categories.size());
  const double name_width = static_cast<double>(longest) * kTickLetter;
  const bool is_flat = name_width + 6 <= group;
  // Names that are slanted begin left of the first bar.
  const double least_left = is_flat ? 0 : kPageMargin + name_width * kSlant - group / 2;
  const Plot plot(ys.ticks(), least_left);
  Drawing drawing;
  plot.draw_y_axis(ys, axis.title, drawing);
  const auto in_group = static_cast<double>(chart.series.size());
  const double width = std::min(kWidestBar, group * 0.84 / in_group);
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    const double middle = plot.left() + (static_cast<double>(c) + 0.5) * group;
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const double value = chart.series[s].values[c];
      const double left = middle + (static_cast<double>(s) - in_group / 2) * width;
      const double top = plot.y(ys.at(value));
      const std::string text = number_text(axis, value);
      drawing.line(fmt::format(
          "<path class=\"xl-done {}\" d=\"M{:.5g} {:.5g}V{:.5g}h{:.4g}V{:.5g}z\"><title>{}, {}: {}"
          "</title></path>",
          ink(s), left + 1, plot.bottom(), top, std::max(0.5, width - 2), plot.bottom(),
          escaped(chart.categories[c]), escaped(chart.series[s].name), text));
      if (static_cast<double>(text.size()) * 6 <= width) {
        drawing.text(left + width / 2, top - 4, "tiny over", text);
      }
    }
    if (is_flat) {
      drawing.text(middle, plot.bottom() + 18, "name", chart.categories[c]);
    } else {
      drawing.line(fmt::format(
          "<text transform=\"translate({:.6g} {:.6g}) rotate(-45)\" class=\"xl-name xl-end\">{}"
          "</text>",
          middle + 6, plot.bottom() + 16, escaped(chart.categories[c])));
    }
  }
  plot.draw_frame(drawing);
  std::vector<std::string> names;
  std::vector<std::string> samples;
  for (const BarChart::Series& series : chart.series) {
    names.push_back(series.name);
    samples.emplace_back("<path class=\"xl-done\" d=\"M6 -6h14v12h-14z\"/>");
  }
  const double names_height = is_flat ? 24 : 18 + name_width * kSlant;
  return with_legend(plot, chart.title, chart.note, plot.bottom() + names_height, names, samples,
                     drawing);
}

}  // namespace xorloom
