#include "gen/pictures/chart_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr double kLargeWidth = 640;
constexpr double kLargeHeight = 360;
/// Width of a small chart: a phone has 400, less its margins.
constexpr double kSmallPicture = 364;
constexpr double kSmallHeight = 200;
constexpr double kRight = 14;  ///< right of the plot, for half of the last number
constexpr double kAxisTitle = 26;

bool is_logarithmic(const ChartAxis& axis) {
  return axis.scale == ChartAxis::Scale::kLog2 || axis.scale == ChartAxis::Scale::kLog10;
}

void check_value(const ChartAxis& axis, double value) {
  if (!std::isfinite(value)) {
    fail(Status::kInvalidArgument, "a value of a chart is {}, which is not finite", value);
  }
  if (is_logarithmic(axis) && value <= 0) {
    fail(Status::kInvalidArgument, "a value of a chart is {}, which has no logarithm", value);
  }
  if (axis.scale == ChartAxis::Scale::kTail && (value < 0 || value >= 1)) {
    fail(Status::kInvalidArgument, "a value of a chart is {}, which is no share below 1", value);
  }
}

/// The least step of 1, 2 or 5 times a power of ten that divides `range` into at most `most_steps`.
double step_of(double range, std::size_t most_steps) {
  const double least = range / static_cast<double>(most_steps);
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// Numbers of the form 1, 2 or 5 times a power of ten are counted from 1 on: ten_at(0) = 1,
/// ten_at(4) = 20. ten_below() is the index of the greatest one up to `value`.
double ten_at(int number) {
  constexpr std::array kFactors = {1.0, 2.0, 5.0};
  const int power = number >= 0 ? number / 3 : -((2 - number) / 3);
  return kFactors[static_cast<std::size_t>(number - 3 * power)] * std::pow(10.0, power);
}

int ten_below(double value) {
  int number = 3 * (static_cast<int>(std::floor(std::log10(value))) + 1);
  while (ten_at(number) > value * (1 + 1e-9)) --number;
  return number;
}

}  // namespace

std::string number_text(const ChartAxis& axis, double value) {
  if (axis.scale == ChartAxis::Scale::kTail) return fmt::format("{:.6g} %", 100 * value);
  if (!axis.is_bytes) return fmt::format("{:.6g}", value);
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (std::abs(value) >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

std::string ChartScale::label(double value) const { return number_text(axis_, value); }

std::size_t ChartScale::longest_label() const {
  std::size_t longest = 1;
  for (const double tick : ticks_) longest = std::max(longest, label(tick).size());
  return longest;
}

ChartScale::ChartScale(const ChartAxis& axis, std::span<const double> values,
                       std::size_t most_ticks)
    : axis_(axis) {
  for (const double value : values) check_value(axis, value);
  double low = values.empty() ? 1 : *std::ranges::min_element(values);
  double high = values.empty() ? 1 : *std::ranges::max_element(values);
  most_ticks = std::max<std::size_t>(2, most_ticks);
  if (axis.scale == ChartAxis::Scale::kTail) {
    set_tail(high);
  } else if (is_logarithmic(axis)) {
    const bool is_ten = axis.scale == ChartAxis::Scale::kLog10;
    if (!is_ten || !set_tens(low, high, most_ticks)) set_logarithmic(low, high, most_ticks);
    const std::set<double> distinct(values.begin(), values.end());
    if (axis.has_few && distinct.size() <= most_ticks) {
      ticks_.assign(distinct.begin(), distinct.end());
    }
  } else {
    if (axis.from_zero) {
      low = std::min(low, axis.bound);
      high = std::max(high, axis.bound);
    } else if (low > 0 && low <= high / 2) {
      low = 0;
    }
    set_linear(values, low, high, most_ticks);
  }
}

void ChartScale::set_linear(std::span<const double> values, double low, double high,
                            std::size_t most_ticks) {
  const double least = low;
  if (low == high) {
    const double around = low == 0 ? 1 : std::ceil(std::abs(low) / 2);
    high += around;
    if (low < 0 || (low > 0 && !axis_.from_zero)) low -= around;
  }
  const bool is_whole = std::ranges::all_of(values, [](double v) { return v == std::round(v); });
  const std::size_t most_steps = axis_.is_open ? most_ticks : most_ticks - 1;
  const double step = std::max(step_of(high - low, most_steps), is_whole ? 1.0 : 0.0);
  double first = std::floor(low / step + 1e-9);
  is_cut_ = !axis_.from_zero && first > 0;
  if (is_cut_ && first * step >= least * (1 - 1e-9)) --first;
  is_cut_ = is_cut_ && first > 0;
  const double last =
      axis_.is_open ? std::floor(high / step + 1e-9) : std::ceil(high / step - 1e-9);
  low_ = first * step;
  high_ = axis_.is_open ? high : last * step;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(last - first); ++i) {
    ticks_.push_back((first + static_cast<double>(i)) * step);
  }
}

void ChartScale::set_logarithmic(double low, double high, std::size_t most_ticks) {
  const double base = axis_.scale == ChartAxis::Scale::kLog2 ? 2 : 10;
  const double first = std::floor(position(low) / std::log(base) + 1e-9);
  double last = std::ceil(position(high) / std::log(base) - 1e-9);
  if (last <= first) last = first + 1;
  low_ = first * std::log(base);
  high_ = last * std::log(base);
  const auto powers = static_cast<std::size_t>(last - first);
  const std::size_t every = std::max<std::size_t>(1, (powers + most_ticks - 2) / (most_ticks - 1));
  for (std::size_t i = 0; i <= powers; i += every) {
    ticks_.push_back(std::pow(base, first + static_cast<double>(i)));
  }
}

bool ChartScale::set_tens(double low, double high, std::size_t most_ticks) {
  const int first = ten_below(low);
  int last = ten_below(high);
  if (ten_at(last) < high * (1 - 1e-9) || last == first) ++last;
  if (static_cast<std::size_t>(last - first) + 1 > most_ticks) return false;
  low_ = position(ten_at(first));
  high_ = position(ten_at(last));
  for (int number = first; number <= last; ++number) ticks_.push_back(ten_at(number));
  return true;
}

void ChartScale::set_tail(double high) {
  const double nines = std::max(1.0, std::ceil(position(high) - 1e-9));
  high_ = nines;
  ticks_ = {0, 0.5};
  for (double nine = 1; nine <= nines; ++nine) ticks_.push_back(1 - std::pow(10.0, -nine));
}

double ChartScale::position(double value) const {
  if (axis_.scale == ChartAxis::Scale::kTail) return -std::log10(1 - value);
  return axis_.scale == ChartAxis::Scale::kLinear ? value : std::log(value);
}

Plot::Plot(ChartSize size, const ChartScale& y_scale, double least_left)
    : width_(kLargeWidth), height_(kLargeHeight) {
  const bool is_small = size == ChartSize::kSmall;
  const double margin = is_small ? 2.0 : static_cast<double>(kPageMargin);
  const double numbers = static_cast<double>(y_scale.longest_label()) * kTickLetter;
  left_ = std::max(least_left, margin + kAxisTitle + numbers + 8);
  if (!is_small) return;
  width_ = kSmallPicture - left_ - kRight;
  height_ = kSmallHeight;
}

void Plot::draw_y_axis(const ChartScale& scale, Drawing& drawing) const {
  std::string lines;
  for (const double tick : scale.ticks()) {
    const double at = y(scale.at(tick));
    lines += fmt::format("M{:.6g} {:.6g}h{:.6g}", left_, at, width_);
    drawing.text(left_ - 8, at + 4, "name end", scale.label(tick));
  }
  drawing.line(path("rule", lines));
  const double numbers = static_cast<double>(scale.longest_label()) * kTickLetter + 8;
  drawing.turned_text(left_ - numbers - kAxisTitle / 2 - 1, top() + height_ / 2, -90, "name",
                      scale.title());
}

void Plot::draw_x_axis(const ChartScale& scale, Drawing& drawing) const {
  std::string lines;
  for (const double tick : scale.ticks()) {
    const double at = x(scale.at(tick));
    lines += fmt::format("M{:.6g} {:.6g}v{:.6g}", at, top(), height_);
    const std::string label = scale.label(tick);
    const double half = static_cast<double>(text_width(label, 1)) * kTickLetter / 2;
    const bool is_over = at + half > right() + kRight;
    drawing.text(is_over ? right() + kRight : at, bottom() + 18, is_over ? "name end" : "name",
                 label);
  }
  drawing.line(path("rule", lines));
  drawing.text(left_ + width_ / 2, bottom() + 38, "name", scale.title());
}

void Plot::draw_frame(bool is_x_cut, bool is_y_cut, Drawing& drawing) const {
  const std::string down =
      is_y_cut ? fmt::format("V{:.6g}l-5 2l10 4l-5 2V{:.6g}", bottom() - 15, bottom())
               : fmt::format("v{}", height_);
  const std::string right = is_x_cut ? "h7l2 -5l4 10l2 -5" : "";
  drawing.line(path(
      "frame", fmt::format("M{:.6g} {}{}{}H{:.6g}", left_, top(), down, right, left_ + width_)));
}

Picture Plot::picture(const std::string& title, const std::string& note, double below,
                      std::vector<LegendEntry> legend, const Drawing& drawing) const {
  const auto lines = static_cast<double>(std::ranges::count(note, '\n') + (note.empty() ? 0 : 1));
  const double end = std::ceil(bottom() + below + lines * kNoteLine);
  return {.width = static_cast<std::size_t>(std::ceil(right() + kRight)),
          .height = static_cast<std::size_t>(end) + (note.empty() ? 4 : kPageMargin),
          .head = title,
          .note = note,
          .body = drawing.so_far(),
          .legend = std::move(legend)};
}

std::size_t most_y_ticks(ChartSize size) { return size == ChartSize::kSmall ? 6 : 9; }

double usual_width(ChartSize size) {
  return size == ChartSize::kSmall ? kSmallPicture - kRight - kAxisTitle - 3 * kTickLetter - 10
                                   : kLargeWidth;
}

void check_number_of_series(std::size_t series) {
  if (series >= 1 && series <= kMostSeries) return;
  fail(Status::kInvalidArgument, "{} series of a chart are not one of 1 to {}", series,
       kMostSeries);
}

}  // namespace xorloom
