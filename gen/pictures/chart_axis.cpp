#include "gen/pictures/chart_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

bool is_logarithmic(const ChartAxis& axis) {
  return axis.scale == ChartAxis::Scale::kLog2 || axis.scale == ChartAxis::Scale::kLog10;
}

void check_value(const ChartAxis& axis, double value) {
  if (!std::isfinite(value)) {
    fail(Status::kInvalidArgument,
         fmt::format("a value of a chart is {}, which is not finite", value));
  }
  if (is_logarithmic(axis) && value <= 0) {
    fail(Status::kInvalidArgument,
         fmt::format("a value of a chart is {}, which has no logarithm", value));
  }
  if (axis.scale == ChartAxis::Scale::kTail && (value < 0 || value >= 1)) {
    fail(Status::kInvalidArgument,
         fmt::format("a value of a chart is {}, which is no share below 1", value));
  }
}

/// 1, 2 or 5 times a power of ten, so that a range has at most that many steps.
double step_of(double range, std::size_t most_steps) {
  const double least = range / static_cast<double>(most_steps);
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

/// 1, 2 or 5 times a power of ten: the number of these from 1 on, and the value of such a number.
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

ChartScale::ChartScale(const ChartAxis& axis, std::span<const double> values,
                       std::size_t most_ticks)
    : scale_(axis.scale) {
  for (const double value : values) check_value(axis, value);
  double low = values.empty() ? 1 : *std::ranges::min_element(values);
  double high = values.empty() ? 1 : *std::ranges::max_element(values);
  most_ticks = std::max<std::size_t>(2, most_ticks);
  if (axis.scale == ChartAxis::Scale::kTail) {
    set_tail(axis, high);
  } else if (is_logarithmic(axis)) {
    const bool is_ten = axis.scale == ChartAxis::Scale::kLog10;
    if (!is_ten || !set_tens(axis, low, high, most_ticks)) {
      set_logarithmic(axis, low, high, most_ticks);
    }
    if (axis.has_few) set_ticks_at(axis, values, most_ticks);
  } else {
    if (axis.from_zero) {
      low = std::min(low, axis.bound);
      high = std::max(high, axis.bound);
    } else if (low > 0 && low <= high / 2) {
      low = 0;
    }
    set_linear(axis, values, low, high, most_ticks);
  }
}

void ChartScale::set_linear(const ChartAxis& axis, std::span<const double> values, double low,
                            double high, std::size_t most_ticks) {
  const double least = low;
  if (low == high) {
    const double around = low == 0 ? 1 : std::ceil(std::abs(low) / 2);
    high += around;
    if (!axis.from_zero || low < 0) low -= around;
  }
  const bool is_whole = std::ranges::all_of(values, [](double v) { return v == std::round(v); });
  const std::size_t most_steps = axis.is_open ? most_ticks : most_ticks - 1;
  const double step = std::max(step_of(high - low, most_steps), is_whole ? 1.0 : 0.0);
  double first = std::floor(low / step + 1e-9);
  is_cut_ = !axis.from_zero && first > 0;
  if (is_cut_ && first * step >= least * (1 - 1e-9)) --first;
  is_cut_ = is_cut_ && first > 0;
  const double last = axis.is_open ? std::floor(high / step + 1e-9) : std::ceil(high / step - 1e-9);
  low_ = first * step;
  high_ = axis.is_open ? high : last * step;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(last - first); ++i) {
    const double value = (first + static_cast<double>(i)) * step;
    ticks_.push_back({value, number_text(axis, value)});
  }
}

void ChartScale::set_logarithmic(const ChartAxis& axis, double low, double high,
                                 std::size_t most_ticks) {
  const double base = scale_ == ChartAxis::Scale::kLog2 ? 2 : 10;
  const double first = std::floor(position(low) / std::log(base) + 1e-9);
  double last = std::ceil(position(high) / std::log(base) - 1e-9);
  if (last <= first) last = first + 1;
  low_ = first * std::log(base);
  high_ = last * std::log(base);
  const auto powers = static_cast<std::size_t>(last - first);
  const std::size_t every = std::max<std::size_t>(1, (powers + most_ticks - 2) / (most_ticks - 1));
  for (std::size_t i = 0; i <= powers; i += every) {
    const double power = std::pow(base, first + static_cast<double>(i));
    ticks_.push_back({power, number_text(axis, power)});
  }
}

bool ChartScale::set_tens(const ChartAxis& axis, double low, double high, std::size_t most_ticks) {
  const int first = ten_below(low);
  int last = ten_below(high);
  if (ten_at(last) < high * (1 - 1e-9) || last == first) ++last;
  if (static_cast<std::size_t>(last - first) + 1 > most_ticks) return false;
  low_ = position(ten_at(first));
  high_ = position(ten_at(last));
  for (int number = first; number <= last; ++number) {
    ticks_.push_back({ten_at(number), number_text(axis, ten_at(number))});
  }
  return true;
}

void ChartScale::set_tail(const ChartAxis& axis, double high) {
  const double nines = std::max(1.0, std::ceil(position(high) - 1e-9));
  low_ = 0;
  high_ = nines;
  ticks_ = {{0, number_text(axis, 0)}, {0.5, number_text(axis, 0.5)}};
  for (double nine = 1; nine <= nines; ++nine) {
    const double share = 1 - std::pow(10.0, -nine);
    ticks_.push_back({share, number_text(axis, share)});
  }
}

void ChartScale::set_ticks_at(const ChartAxis& axis, std::span<const double> values,
                              std::size_t most_ticks) {
  const std::set<double> distinct(values.begin(), values.end());
  if (distinct.size() > most_ticks) return;
  ticks_.clear();
  for (const double value : distinct) ticks_.push_back({value, number_text(axis, value)});
}

double ChartScale::position(double value) const {
  if (scale_ == ChartAxis::Scale::kTail) return -std::log10(1 - value);
  return scale_ == ChartAxis::Scale::kLinear ? value : std::log(value);
}

double ChartScale::at(double value) const { return (position(value) - low_) / (high_ - low_); }

}  // namespace xorloom
