#include "gen/pictures/chart_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "codes/text/error.hpp"
#include "gen/pictures/chart_axes.hpp"

namespace xorloom {
namespace {

constexpr double kBelow = 46;  ///< below the plot: ticks and title of the axis

constexpr double kRing = 7;
constexpr double kAlone = 18;  ///< width of an isolated point of a line without markers

// Names of bands, in pixels.
constexpr double kBandLetter = 6.6;
constexpr double kLeastBand = 8;    ///< narrower bands have no name
constexpr double kBeyondPlot = 12;  ///< a name may reach so far beyond the plot on its right
constexpr double kAbovePlot = 18;   ///< and so far above it

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

/// Dashes of lines, in turn if colors repeat.
constexpr std::array kDashes = {"", "7 4", "2 3", "12 3 2 3"};

constexpr const char* kStroke = "stroke-width=\"2\"";

std::string stroke_of(const ChartSeries& series, std::size_t number) {
  const std::size_t turn = number / kInks + (series.is_dashed ? 1 : 0);
  const std::string dash = kDashes[turn % kDashes.size()];
  return dash.empty() ? kStroke : fmt::format("{} stroke-dasharray=\"{}\"", kStroke, dash);
}

/// Path of a series. It ends with a closing tag even if it has no title.
std::string open_path(const std::string& way, const std::string& title,
                      const std::string& attributes) {
  std::string element = path("line", way, title, attributes);
  if (title.empty()) element.replace(element.size() - 2, 2, "></path>");
  return element;
}

std::string marker_at(double x, double y, std::size_t number, std::string_view title = {}) {
  return path("fill", fmt::format("M{:.5g} {:.5g}{}", x, y, kMarkers[number % kInks]), title);
}

bool has_line(const ChartSeries& series) { return series.form != ChartSeries::Form::kMarkers; }
bool has_markers(const ChartSeries& series) {
  const bool has_form =
      series.form != ChartSeries::Form::kPlain && series.form != ChartSeries::Form::kLevels;
  return has_form && !series.is_dashed;
}

/// Places labels where they cover no other labels, markers or lines.
class Labels {
 public:
  explicit Labels(const Plot& plot) : plot_(plot) {}

  /// Keeps labels off a marker.
  void keep_free(double x, double y, double half) {
    taken_.push_back({x - half, x + half, y - half, y + half});
  }

  /// Keeps labels off a line.
  void keep_free(double from_x, double from_y, double to_x, double to_y) {
    constexpr double kApart = 4;
    const double length = std::hypot(to_x - from_x, to_y - from_y);
    const int points = static_cast<int>(std::ceil(length / kApart));
    for (int i = 0; i <= points; ++i) {
      const double share = points == 0 ? 0 : static_cast<double>(i) / points;
      keep_free(from_x + (to_x - from_x) * share, from_y + (to_y - from_y) * share, 1);
    }
  }

  /// Places a label beside a point where it covers nothing: at its right, at its left, above it or
  /// below; else further off, at the end of a thin line. A label without such a place is left out.
  /// If the series has no line, the height of the point is tried first: it shows which point the
  /// label is of.
  void place(double x, double y, double half, const std::string& text, bool has_line,
             Drawing& drawing) {
    const double off = half + 4;
    const double width = static_cast<double>(text_width(text, 1)) * 7;
    const auto put = [&](double text_x, double text_y, int side, const std::string& line) {
      const double from = side > 0 ? text_x : side < 0 ? text_x - width : text_x - width / 2;
      if (!take({from, from + width, text_y - 9, text_y + 2})) return false;
      if (!line.empty()) drawing.line(line);
      drawing.text(text_x, text_y,
                   side > 0   ? "small halo over start"
                   : side < 0 ? "small halo over end"
                              : "small halo over",
                   text);
      return true;
    };
    struct Near {
      double x, y;
      int side;
    };
    std::array<Near, 8> places = {{{x + off, y - 6, 1},
                                   {x + off, y + 14, 1},
                                   {x + off, y + 4, 1},
                                   {x - off, y - 6, -1},
                                   {x - off, y + 14, -1},
                                   {x - off, y + 4, -1},
                                   {x, y - off - 1, 0},
                                   {x, y + off + 10, 0}}};
    if (!has_line) {
      std::stable_partition(places.begin(), places.end(),
                            [&](const Near& place) { return place.y == y + 4; });
    }
    if (std::ranges::any_of(places, [&](const Near& p) { return put(p.x, p.y, p.side, ""); })) {
      return;
    }
    for (const double distance : {18.0, 32.0, 46.0}) {
      for (const int side : {1, -1}) {
        for (const int down : {-1, 1}) {
          const double end_x = x + side * 14;
          const double end_y = y + down * distance;
          const double begin_x = x + side * half;
          const double begin_y = y + down * (half + 1);
          if (crosses(begin_x, begin_y, end_x, end_y)) continue;
          const std::string line = path(
              "frame", fmt::format("M{:.5g} {:.5g}L{:.5g} {:.5g}", begin_x, begin_y, end_x, end_y));
          if (put(end_x + side * 2, end_y + 4, side, line)) return;
        }
      }
    }
  }

 private:
  struct Box {
    double left, right, top, bottom;
  };

  /// True if a line leads over something; tested at points on it.
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

  /// Takes the place of a box. False if it leaves the plot or covers something.
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

class Lines {
 public:
  Lines(const Chart& chart, const std::vector<double>& x_values,
        const std::vector<double>& y_values)
      : chart_(chart),
        xs_(chart.x, x_values, most_x_ticks(chart.x, usual_width(chart.size), x_values)),
        ys_(chart.y, y_values, most_y_ticks(chart.size)),
        plot_(chart.size, ys_, 0),
        labels_(plot_) {}

  Picture picture() {
    draw_bands();
    plot_.draw_y_axis(ys_, drawing_);
    plot_.draw_x_axis(xs_, drawing_);
    plot_.draw_frame(xs_.is_cut(), ys_.is_cut(), drawing_);
    std::vector<LegendEntry> legend;
    for (std::size_t i = 0; i < chart_.series.size(); ++i) {
      const ChartSeries& series = chart_.series[i];
      const std::size_t number = series.ink.value_or(i);
      draw_series(series, number);
      if (series.is_in_legend && !series.name.empty()) {
        legend.push_back(legend_entry(series, number));
      }
    }
    for (const ChartSeries& series : chart_.series) keep_free(series);
    for (const ChartSeries& series : chart_.series) place_labels(series);
    return plot_.picture(chart_.title, note(), kBelow, std::move(legend), drawing_);
  }

 private:
  struct Place {
    double x, y;
  };

  Place place_of(const std::pair<double, double>& point) const {
    return {plot_.x(xs_.at(point.first)), plot_.y(ys_.at(point.second))};
  }

  /// Number of ticks of the axis at the bottom that do not run into one another.
  static std::size_t most_x_ticks(const ChartAxis& axis, double width,
                                  const std::vector<double>& values) {
    std::size_t longest = 4;
    for (const double value : values) {
      if (std::isfinite(value)) {
        longest = std::max(longest, std::min<std::size_t>(8, number_text(axis, value).size()));
      }
    }
    return static_cast<std::size_t>(width / (static_cast<double>(longest) * kTickLetter + 16));
  }

  void draw_series(const ChartSeries& series, std::size_t number) {
    std::string line;
    std::string alone;  // isolated points, drawn without gaps of dashes
    const auto is_begin = [&](std::size_t i) {
      return i == 0 || std::ranges::find(series.breaks, i) != series.breaks.end();
    };
    const bool is_step =
        series.form == ChartSeries::Form::kSteps || series.form == ChartSeries::Form::kLevels;
    for (std::size_t i = 0; has_line(series) && i < series.points.size(); ++i) {
      const auto [x, y] = place_of(series.points[i]);
      const bool is_alone = is_begin(i) && (i + 1 == series.points.size() || is_begin(i + 1));
      if (is_alone && !has_markers(series)) {
        alone += fmt::format("M{:.5g} {:.5g}H{:.5g}", std::max(plot_.left(), x - kAlone / 2), y,
                             std::min(plot_.right(), x + kAlone / 2));
      } else if (is_step && !is_begin(i)) {
        line += fmt::format("H{:.5g}V{:.5g}", x, y);
      } else {
        line += fmt::format("{}{:.5g} {:.5g}", is_begin(i) ? "M" : "L", x, y);
      }
      if (series.points.size() == 1 && !line.empty()) line += fmt::format("V{:.5g}", y);
    }
    drawing_.line(fmt::format("<g class=\"{}\">", ink(number)));
    if (!line.empty()) {
      drawing_.line(open_path(line, series.name, stroke_of(series, number)));
    }
    if (!alone.empty()) drawing_.line(open_path(alone, series.name, kStroke));
    for (const std::size_t i : series.ringed) {
      const auto [x, y] = place_of(series.points[i]);
      drawing_.line(ring_at(x, y, kRing));
    }
    const auto& marked = has_markers(series) ? series.points : series.marks;
    for (std::size_t i = 0; i < marked.size(); ++i) {
      const auto [x, y] = place_of(marked[i]);
      const std::string& title = i < series.titles.size() ? series.titles[i] : series.name;
      drawing_.line(
          marker_at(x, y, number,
                    fmt::format("{}{}{}, {}", title, title.empty() ? "" : ": ",
                                xs_.label(marked[i].first), ys_.label(marked[i].second))));
    }
    drawing_.line("</g>");
  }

  /// Tints every second band, and the gaps between bands half as much.
  void draw_bands() {
    const auto x_of = [&](double value) { return plot_.x(std::clamp(xs_.at(value), 0.0, 1.0)); };
    const auto tint = [&](const char* style, double left, double right) {
      if (right - left < 0.5) return;
      drawing_.line(path(style, fmt::format("M{:.5g} {:.5g}V{:.5g}H{:.5g}V{:.5g}z", left,
                                            plot_.bottom(), plot_.top(), right, plot_.bottom())));
    };
    double taken = 0;
    for (std::size_t i = 0; i < chart_.bands.size(); ++i) {
      const ChartBand& band = chart_.bands[i];
      const double left = x_of(band.from);
      const double right = x_of(band.to);
      if (i % 2 == 1) tint("band", left, right);
      if (i > 0) tint("between", x_of(chart_.bands[i - 1].to), left);
      if (right - left < kLeastBand) continue;
      const double half = static_cast<double>(text_width(band.name, 1)) * kBandLetter / 2;
      const double middle = std::min((left + right) / 2, plot_.right() + kBeyondPlot - half);
      if (middle - half < taken) continue;
      drawing_.text(middle, plot_.top() - 5, "name small", band.name);
      taken = middle + half + kBandLetter;
    }
  }

  static double half_of(const ChartSeries& series, std::size_t i) {
    const bool is_ringed = std::ranges::find(series.ringed, i) != series.ringed.end();
    return is_ringed ? kRing + 1 : 4.0;
  }

  /// Keeps labels off the markers of a series, or off its line.
  void keep_free(const ChartSeries& series) {
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const auto [x, y] = place_of(series.points[i]);
      if (has_markers(series)) labels_.keep_free(x, y, half_of(series, i));
      if (series.form != ChartSeries::Form::kPlain || i == 0) continue;
      const Place from = place_of(series.points[i - 1]);
      labels_.keep_free(from.x, from.y, x, y);
    }
  }

  void place_labels(const ChartSeries& series) {
    for (std::size_t i = 0; i < std::min(series.labels.size(), series.points.size()); ++i) {
      if (series.labels[i].empty()) continue;
      const auto [x, y] = place_of(series.points[i]);
      labels_.place(x, y, half_of(series, i), series.labels[i], has_line(series), drawing_);
    }
  }

  /// The chart's note, and below it "The axis of XORs does not begin at 0." if an axis is cut.
  std::string note() const {
    std::string note = chart_.note;
    if (!xs_.is_cut() && !ys_.is_cut()) return note;
    if (!note.empty()) note += '\n';
    if (xs_.is_cut() && ys_.is_cut()) return note + "Neither axis begins at 0.";
    const std::string& title = xs_.is_cut() ? chart_.x.title : chart_.y.title;
    return note + fmt::format("The axis of {} does not begin at 0.", title);
  }

  const Chart& chart_;
  ChartScale xs_;
  ChartScale ys_;
  Plot plot_;
  Labels labels_;
  Drawing drawing_;
};

}  // namespace

LegendEntry legend_entry(const ChartSeries& series, std::size_t number) {
  LegendEntry entry{series.name, ink(number), ""};
  if (has_line(series)) {
    entry.sample +=
        path("line", fmt::format("M0 0h{}", kSampleWidth), "", stroke_of(series, number));
  }
  if (has_markers(series) || !series.marks.empty()) {
    entry.sample += marker_at(kSampleWidth / 2.0, 0, number);
  }
  return entry;
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
  return Lines(chart, x_values, y_values).picture();
}

}  // namespace xorloom
