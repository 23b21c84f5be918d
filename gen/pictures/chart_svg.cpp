#include "gen/pictures/chart_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "codes/text/error.hpp"
#include "gen/pictures/chart_axis.hpp"
#include "gen/pictures/chart_plot.hpp"

namespace xorloom {
namespace {

constexpr double kBelow = 46;  ///< ticks and title of the axis at the bottom

constexpr double kRing = 7;
constexpr double kAlone = 18;  ///< the width of a point of a line without markers, in the plot

// Names of bands, in pixels.
constexpr double kBandLetter = 6.6;
constexpr double kLeastBand = 8;    ///< narrower ones have no name
constexpr double kBeyondPlot = 12;  ///< that a name may reach beyond the plot on its right
constexpr double kAbovePlot = 18;   ///< and above it

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
constexpr std::array kDashes = {"", "7 4", "2 3", "12 3 2 3"};

std::string dash_of(const ChartSeries& series, std::size_t number) {
  const std::size_t turn = number / kInks + (series.is_dashed ? 1 : 0);
  const std::string dash = kDashes[turn % kDashes.size()];
  return dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash);
}

bool has_line(const ChartSeries& series) { return series.form != ChartSeries::Form::kMarkers; }
bool has_markers(const ChartSeries& series) {
  const bool has_form =
      series.form != ChartSeries::Form::kPlain && series.form != ChartSeries::Form::kLevels;
  return has_form && !series.is_dashed;
}

/// Places of labels that are not in the way of others, or of markers.
class Labels {
 public:
  explicit Labels(const Plot& plot) : plot_(plot) {}

  /// No label covers a marker there.
  void keep_free(double x, double y, double half) {
    taken_.push_back({x - half, x + half, y - half, y + half});
  }

  /// No label covers a line there.
  void keep_free(double from_x, double from_y, double to_x, double to_y) {
    constexpr double kApart = 4;
    const double length = std::hypot(to_x - from_x, to_y - from_y);
    const int points = static_cast<int>(std::ceil(length / kApart));
    for (int i = 0; i <= points; ++i) {
      const double share = points == 0 ? 0 : static_cast<double>(i) / points;
      keep_free(from_x + (to_x - from_x) * share, from_y + (to_y - from_y) * share, 1);
    }
  }

  /// Beside a point, where it covers nothing that is there already: at its right, at its left,
  /// above it or below; else further off, at the end of a thin line. Left out where there is no
  /// such place. One whose series has no line stands at the height of its point where it can: that
  /// tells whose it is.
  void place(double x, double y, double half, const std::string& text, bool has_line,
             Drawing& drawing) {
    const double off = half + 4;
    const double width = static_cast<double>(text_width(text, 1)) * 7;
    struct Try {
      double x, y;
      const char* styles;
      double from;
    };
    std::array<Try, 8> tries = {{{x + off, y - 6, "small halo over start", x + off},
                                 {x + off, y + 14, "small halo over start", x + off},
                                 {x + off, y + 4, "small halo over start", x + off},
                                 {x - off, y - 6, "small halo over end", x - off - width},
                                 {x - off, y + 14, "small halo over end", x - off - width},
                                 {x - off, y + 4, "small halo over end", x - off - width},
                                 {x, y - off - 1, "small halo over", x - width / 2},
                                 {x, y + off + 10, "small halo over", x - width / 2}}};
    if (!has_line) {
      std::stable_partition(tries.begin(), tries.end(), [&](const Try& t) { return t.y == y + 4; });
    }
    for (const Try& t : tries) {
      if (!take({t.from, t.from + width, t.y - 9, t.y + 2})) continue;
      drawing.text(t.x, t.y, t.styles, text);
      return;
    }
    for (const double distance : {18.0, 32.0, 46.0}) {
      for (const double side : {1.0, -1.0}) {
        for (const double down : {-1.0, 1.0}) {
          const double end_x = x + side * 14;
          const double end_y = y + down * distance;
          const double from = side > 0 ? end_x + 2 : end_x - 2 - width;
          const double begin_x = x + side * half;
          const double begin_y = y + down * (half + 1);
          if (crosses(begin_x, begin_y, end_x, end_y)) continue;
          if (!take({from, from + width, end_y - 5, end_y + 6})) continue;
          drawing.line(fmt::format("<path class=\"xl-frame\" d=\"M{:.5g} {:.5g}L{:.5g} {:.5g}\"/>",
                                   begin_x, begin_y, end_x, end_y));
          drawing.text(end_x + side * 2, end_y + 4,
                       side > 0 ? "small halo over start" : "small halo over end", text);
          return;
        }
      }
    }
  }

 private:
  struct Box {
    double left, right, top, bottom;
  };

  /// Whether a line leads over something, as points on it tell.
  bool crosses(double from_x, double from_y, double to_x, double to_y) const {
    constexpr int kPoints = 16;
    for (int i = 1; i <= kPoints; ++i) {
      const double x = from_x + (to_x - from_x) * i / kPoints;
      const double y = from_y + (to_y - from_y) * i / kPoints;
      const bool is_over = std::ranges::any_of(taken_, [&](const Box& other) {
        return x > other.left && x < other.right && y > other.top && y < other.bottom;
      });
      if (is_over) return true;
    }
    return false;
  }

  /// Whether it is in the plot and covers nothing; then it is taken.
  bool take(const Box& box) {
    if (box.left < plot_.left() || box.right > plot_.right() + kBeyondPlot ||
        box.top < plot_.top() - kAbovePlot || box.bottom > plot_.bottom()) {
      return false;
    }
    const bool is_free = std::ranges::none_of(taken_, [&](const Box& other) {
      return box.left < other.right && other.left < box.right && box.top < other.bottom &&
             other.top < box.bottom;
    });
    if (is_free) taken_.push_back(box);
    return is_free;
  }

  const Plot& plot_;
  std::vector<Box> taken_;
};

std::string ring_at(double x, double y, double radius) {
  return fmt::format(
      "<circle class=\"xl-line\" stroke-width=\"2\" cx=\"{:.5g}\" cy=\"{:.5g}\" r=\"{}\"/>", x, y,
      radius);
}

void draw_series(const Chart& chart, std::size_t number, const Plot& plot, const ChartScale& xs,
                 const ChartScale& ys, Drawing& drawing) {
  const ChartSeries& series = chart.series[number];
  const std::size_t mark = series.ink.value_or(number);
  std::string path;
  std::string alone;  // points that no line leads to or from: without gaps of dashes
  const auto is_begin = [&](std::size_t i) {
    return i == 0 || std::ranges::find(series.breaks, i) != series.breaks.end();
  };
  double last_y = 0;
  for (std::size_t i = 0; has_line(series) && i < series.points.size(); ++i) {
    const double x = plot.x(xs.at(series.points[i].first));
    const double y = plot.y(ys.at(series.points[i].second));
    const bool is_step =
        series.form == ChartSeries::Form::kSteps || series.form == ChartSeries::Form::kLevels;
    const bool is_alone = is_begin(i) && (i + 1 == series.points.size() || is_begin(i + 1));
    if (is_alone && !has_markers(series)) {
      alone += fmt::format("M{:.5g} {:.5g}H{:.5g}", std::max(plot.left(), x - kAlone / 2), y,
                           std::min(plot.right(), x + kAlone / 2));
    } else if (is_step && !is_begin(i)) {
      path += fmt::format("H{:.5g}V{:.5g}", x, y);
    } else {
      path += fmt::format("{}{:.5g} {:.5g}", is_begin(i) ? "M" : "L", x, y);
    }
    last_y = y;
  }
  if (!path.empty() && series.points.size() == 1) {
    path += fmt::format("V{:.5g}", last_y);
  }
  drawing.line(fmt::format("<g class=\"{}\">", ink(mark)));
  const std::string name = escaped(series.name);
  if (!path.empty()) {
    drawing.line(fmt::format("<path class=\"xl-line\" stroke-width=\"2\"{} d=\"{}\">{}</path>",
                             dash_of(series, mark), path,
                             name.empty() ? "" : fmt::format("<title>{}</title>", name)));
  }
  if (!alone.empty()) {
    drawing.line(fmt::format("<path class=\"xl-line\" stroke-width=\"2\" d=\"{}\">{}</path>", alone,
                             name.empty() ? "" : fmt::format("<title>{}</title>", name)));
  }
  for (const std::size_t i : series.ringed) {
    drawing.line(ring_at(plot.x(xs.at(series.points[i].first)),
                         plot.y(ys.at(series.points[i].second)), kRing));
  }
  const auto& marked = has_markers(series) ? series.points : series.marks;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const auto& point = marked[i];
    const std::string title = i < series.titles.size() ? escaped(series.titles[i]) : name;
    drawing.line(
        fmt::format("<path class=\"xl-fill\" d=\"M{:.5g} {:.5g}{}\"><title>{}{}, {}"
                    "</title></path>",
                    plot.x(xs.at(point.first)), plot.y(ys.at(point.second)), kMarkers[mark % kInks],
                    title.empty() ? "" : title + ": ", number_text(chart.x, point.first),
                    number_text(chart.y, point.second)));
  }
  drawing.line("</g>");
}

std::string sample_of(const ChartSeries& series, std::size_t number) {
  std::string sample;
  if (has_line(series)) {
    sample += fmt::format("<path class=\"xl-line\" stroke-width=\"2\"{} d=\"M0 0h{}\"/>",
                          dash_of(series, number), kSampleWidth);
  }
  if (has_markers(series) || !series.marks.empty()) {
    sample += fmt::format("<path class=\"xl-fill\" d=\"M{} 0{}\"/>", kSampleWidth / 2,
                          kMarkers[number % kInks]);
  }
  return sample;
}

/// Every second band is tinted, and its borders where these are not sharp are half as much.
void draw_bands(const std::vector<ChartBand>& bands, const Plot& plot, const ChartScale& xs,
                Drawing& drawing) {
  const auto x_of = [&](double value) { return plot.x(std::clamp(xs.at(value), 0.0, 1.0)); };
  const auto tint = [&](const char* style, double left, double right) {
    if (right - left < 0.5) return;
    drawing.line(fmt::format("<path class=\"{}\" d=\"M{:.5g} {:.5g}V{:.5g}H{:.5g}V{:.5g}z\"/>",
                             style, left, plot.bottom(), plot.top(), right, plot.bottom()));
  };
  double taken = 0;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const double left = x_of(bands[i].from);
    const double right = x_of(bands[i].to);
    if (i % 2 == 1) tint("xl-band", left, right);
    if (i > 0) tint("xl-between", x_of(bands[i - 1].to), left);
    if (right - left < kLeastBand) continue;
    const double half = static_cast<double>(text_width(bands[i].name, 1)) * kBandLetter / 2;
    const double middle = std::min((left + right) / 2, plot.right() + kBeyondPlot - half);
    if (middle - half < taken) continue;
    drawing.text(middle, plot.top() - 5, "name small", bands[i].name);
    taken = middle + half + kBandLetter;
  }
}

/// "The axis of XORs does not begin at 0.", below what the note says.
std::string note_of(const Chart& chart, const ChartScale& xs, const ChartScale& ys) {
  std::string note = chart.note;
  const auto add = [&](const std::string& sentence) {
    note += (note.empty() ? "" : "\n") + sentence;
  };
  if (xs.is_cut() && ys.is_cut()) {
    add("Neither axis begins at 0.");
  } else if (xs.is_cut() || ys.is_cut()) {
    const std::string& title = xs.is_cut() ? chart.x.title : chart.y.title;
    add(fmt::format("The axis of {} does not begin at 0.", title));
  }
  return note;
}

/// Ticks of the axis at the bottom, that do not run into one another.
std::size_t most_x_ticks(const ChartAxis& axis, double width, const std::vector<double>& values) {
  std::size_t longest = 4;
  for (const double value : values) {
    if (std::isfinite(value)) {
      longest = std::max(longest, std::min<std::size_t>(8, number_text(axis, value).size()));
    }
  }
  return static_cast<std::size_t>(width / (static_cast<double>(longest) * kTickLetter + 16));
}

}  // namespace

LegendEntry legend_entry(const ChartSeries& series, std::size_t number) {
  return {series.name, ink(number), sample_of(series, number)};
}

LegendEntry ring_entry(std::string name, std::size_t number) {
  return {std::move(name), ink(number), ring_at(kSampleWidth / 2.0, 0, kRing - 1)};
}

Picture draw_chart(const Chart& chart) {
  check_number_of_series(chart.series.size());
  std::vector<double> x_values;
  std::vector<double> y_values;
  for (const ChartSeries& series : chart.series) {
    for (const auto& point : series.points) {
      x_values.push_back(point.first);
      y_values.push_back(point.second);
    }
  }
  if (x_values.empty()) fail(Status::kInvalidArgument, "a chart has no points");
  x_values.insert(x_values.end(), chart.x.holds.begin(), chart.x.holds.end());
  y_values.insert(y_values.end(), chart.y.holds.begin(), chart.y.holds.end());
  const ChartScale xs(chart.x, x_values, most_x_ticks(chart.x, usual_width(chart.size), x_values));
  const ChartScale ys(chart.y, y_values, most_y_ticks(chart.size));
  const Plot plot(chart.size, ys.ticks(), 0);
  Drawing drawing;
  draw_bands(chart.bands, plot, xs, drawing);
  plot.draw_y_axis(ys, chart.y.title, drawing);
  plot.draw_x_axis(xs, chart.x.title, drawing);
  plot.draw_frame(xs.is_cut(), ys.is_cut(), drawing);
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    const ChartSeries& series = chart.series[i];
    draw_series(chart, i, plot, xs, ys, drawing);
    if (series.is_in_legend && !series.name.empty()) {
      legend.push_back(legend_entry(series, series.ink.value_or(i)));
    }
  }
  Labels labels(plot);
  const auto x_of = [&](const auto& point) { return plot.x(xs.at(point.first)); };
  const auto y_of = [&](const auto& point) { return plot.y(ys.at(point.second)); };
  const auto half_of = [](const ChartSeries& series, std::size_t i) {
    const bool is_ringed = std::ranges::find(series.ringed, i) != series.ringed.end();
    return is_ringed ? kRing + 1 : 4.0;
  };
  for (const ChartSeries& series : chart.series) {
    for (std::size_t i = 1; series.form == ChartSeries::Form::kPlain && i < series.points.size();
         ++i) {
      const auto& from = series.points[i - 1];
      labels.keep_free(x_of(from), y_of(from), x_of(series.points[i]), y_of(series.points[i]));
    }
    if (!has_markers(series)) continue;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      labels.keep_free(x_of(series.points[i]), y_of(series.points[i]), half_of(series, i));
    }
  }
  for (const ChartSeries& series : chart.series) {
    for (std::size_t i = 0; i < std::min(series.labels.size(), series.points.size()); ++i) {
      if (series.labels[i].empty()) continue;
      labels.place(x_of(series.points[i]), y_of(series.points[i]), half_of(series, i),
                   series.labels[i], has_line(series), drawing);
    }
  }
  return plot.picture(chart.title, note_of(chart, xs, ys), kBelow, std::move(legend), drawing);
}

}  // namespace xorloom
