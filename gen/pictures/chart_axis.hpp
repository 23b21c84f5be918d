#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gen/pictures/chart_svg.hpp"

namespace xorloom {

/// A value on an axis that has a line and a label.
struct Tick {
  double value = 0;
  std::string label;
};

/// The part of the numbers that an axis shows, and where they stand on it.
class ChartScale {
 public:
  /// An axis that has room for that many ticks and holds all values. Its ends are ticks where it is
  /// linear. Values that are all the same get some space around them. Whole numbers get no ticks
  /// between them. No value stands on an end that is cut.
  ///
  /// Errors: throws kInvalidArgument for values that are not finite, or not positive on a
  ///         logarithmic scale, or no shares below 1 on one of tails.
  ChartScale(const ChartAxis& axis, std::span<const double> values, std::size_t most_ticks);

  /// From 0 to 1.
  double at(double value) const;

  const std::vector<Tick>& ticks() const { return ticks_; }

  /// Whether a linear axis begins above 0, though no bound of its values says so.
  bool is_cut() const { return is_cut_; }

 private:
  void set_linear(const ChartAxis& axis, std::span<const double> values, double low, double high,
                  std::size_t most_ticks);
  void set_logarithmic(const ChartAxis& axis, double low, double high, std::size_t most_ticks);

  /// From 1, 2 or 5 times a power of ten to another, where there is room for all between.
  bool set_tens(const ChartAxis& axis, double low, double high, std::size_t most_ticks);

  void set_tail(const ChartAxis& axis, double high);

  void set_ticks_at(const ChartAxis& axis, std::span<const double> values, std::size_t most_ticks);

  double position(double value) const;

  ChartAxis::Scale scale_;
  double low_ = 0;  ///< positions: values, or their logarithms
  double high_ = 1;
  bool is_cut_ = false;
  std::vector<Tick> ticks_;
};

/// "0.25", "1500"; of bytes "64 KiB".
std::string number_text(const ChartAxis& axis, double value);

}  // namespace xorloom
