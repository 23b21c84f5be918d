#include "gen/pictures/chart_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr double kLargeWidth = 640;
constexpr double kLargeHeight = 360;
constexpr double kSmallPicture = 364;  ///< all of a small chart: a phone has 400, less its margins
constexpr double kSmallHeight = 200;
constexpr double kRight = 14;  ///< beside the plot, for half of the last number
constexpr double kAxisTitle = 26;

}  // namespace

Plot::Plot(ChartSize size, const std::vector<Tick>& y_ticks, double least_left)
    : left_(0), width_(kLargeWidth), height_(kLargeHeight) {
  std::size_t widest = 1;
  for (const Tick& tick : y_ticks) widest = std::max(widest, tick.label.size());
  const bool is_small = size == ChartSize::kSmall;
  const double margin = is_small ? 2 : static_cast<double>(kPageMargin);
  left_ = std::max(least_left, margin + kAxisTitle + static_cast<double>(widest) * kTickLetter + 8);
  if (!is_small) return;
  width_ = kSmallPicture - left_ - kRight;
  height_ = kSmallHeight;
}

double Plot::left() const { return left_; }
double Plot::right() const { return left_ + width_; }
double Plot::bottom() const { return top() + height_; }
double Plot::width() const { return width_; }
double Plot::x(double share) const { return left_ + share * width_; }
double Plot::y(double share) const { return bottom() - share * height_; }
double Plot::top() const { return static_cast<double>(kPageMargin + kPageHeadHeight); }

void Plot::draw_y_axis(const ChartScale& scale, const std::string& title, Drawing& drawing) const {
  std::string path;
  std::size_t widest = 1;
  for (const Tick& tick : scale.ticks()) {
    const double at = y(scale.at(tick.value));
    path += fmt::format("M{:.6g} {:.6g}h{:.6g}", left_, at, width_);
    drawing.text(left_ - 8, at + 4, "name end", tick.label);
    widest = std::max(widest, tick.label.size());
  }
  drawing.line(fmt::format("<path class=\"xl-rule\" d=\"{}\"/>", path));
  const double numbers = static_cast<double>(widest) * kTickLetter + 8;
  drawing.line(fmt::format(
      "<text transform=\"translate({:.6g} {:.6g}) rotate(-90)\" class=\"xl-name\">{}</text>",
      left_ - numbers - kAxisTitle / 2 - 1, top() + height_ / 2, escaped(title)));
}

void Plot::draw_x_axis(const ChartScale& scale, const std::string& title, Drawing& drawing) const {
  std::string path;
  for (const Tick& tick : scale.ticks()) {
    const double at = x(scale.at(tick.value));
    path += fmt::format("M{:.6g} {:.6g}v{:.6g}", at, top(), height_);
    const double half = static_cast<double>(text_width(tick.label, 1)) * kTickLetter / 2;
    const bool is_over = at + half > right() + kRight;
    drawing.text(is_over ? right() + kRight : at, bottom() + 18, is_over ? "name end" : "name",
                 tick.label);
  }
  drawing.line(fmt::format("<path class=\"xl-rule\" d=\"{}\"/>", path));
  drawing.text(left_ + width_ / 2, bottom() + 38, "name", title);
}

void Plot::draw_frame(bool is_x_cut, bool is_y_cut, Drawing& drawing) const {
  const std::string down =
      is_y_cut ? fmt::format("V{:.6g}l-5 2l10 4l-5 2V{:.6g}", bottom() - 15, bottom())
               : fmt::format("v{}", height_);
  const std::string right = is_x_cut ? "h7l2 -5l4 10l2 -5" : "";
  drawing.line(fmt::format("<path class=\"xl-frame\" d=\"M{:.6g} {}{}{}H{:.6g}\"/>", left_, top(),
                           down, right, left_ + width_));
}

Picture Plot::picture(const std::string& title, const std::string& note, double below,
                      std::vector<LegendEntry> legend, const Drawing& drawing) const {
  const auto lines = static_cast<double>(std::ranges::count(note, '\n') + (note.empty() ? 0 : 1));
  return {static_cast<std::size_t>(std::ceil(right() + kRight)),
          static_cast<std::size_t>(std::ceil(bottom() + below + lines * kNoteLine)) +
              (note.empty() ? 4 : kPageMargin),
          title,
          note,
          drawing.so_far(),
          false,
          std::move(legend)};
}

std::size_t most_y_ticks(ChartSize size) { return size == ChartSize::kSmall ? 6 : 9; }

double usual_width(ChartSize size) {
  return size == ChartSize::kSmall ? kSmallPicture - kRight - kAxisTitle - 3 * kTickLetter - 10
                                   : kLargeWidth;
}

void check_number_of_series(std::size_t series) {
  if (series >= 1 && series <= kMostSeries) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} series of a chart are not one of 1 to {}", series, kMostSeries));
}

}  // namespace xorloom
