#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gen/pictures/chart_svg.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Width of a digit of a tick, in pixels.
inline constexpr double kTickLetter = 7;

/// Range of numbers that an axis shows, their positions on it, and the ticks: numbers that have a
/// line and a label.
class ChartScale {
 public:
  /// Makes an axis that has room for `most_ticks` ticks and holds all values. The ends of a linear
  /// axis are ticks. If all values are equal, they get some space around them. Whole numbers get no
  /// ticks between them. No value is on an end that is cut.
  ///
  /// Errors: throws kInvalidArgument for values that are not finite, not positive on a logarithmic
  ///         scale, or no shares below 1 on a scale of tails.
  ChartScale(const ChartAxis& axis, std::span<const double> values, std::size_t most_ticks);

  /// Position of a value on the axis, from 0 to 1.
  double at(double value) const { return (position(value) - low_) / (high_ - low_); }

  const std::vector<double>& ticks() const { return ticks_; }
  const std::string& title() const { return axis_.title; }

  /// Text of a number: "0.25", "1500"; of bytes "64 KiB".
  std::string label(double value) const;

  /// Bytes of the longest label of a tick.
  std::size_t longest_label() const;

  /// True if a linear axis without from_zero begins above 0.
  bool is_cut() const { return is_cut_; }

 private:
  void set_linear(std::span<const double> values, double low, double high, std::size_t most_ticks);
  void set_logarithmic(double low, double high, std::size_t most_ticks);

  /// Makes an axis whose ends and ticks are 1, 2 or 5 times a power of ten. False if there is no
  /// room for all such ticks.
  bool set_tens(double low, double high, std::size_t most_ticks);

  void set_tail(double high);

  double position(double value) const;

  ChartAxis axis_;
  double low_ = 0;  ///< position at the low end: a value, or a logarithm
  double high_ = 1;
  bool is_cut_ = false;
  std::vector<double> ticks_;
};

/// Text of a number: "0.25", "1500"; of bytes "64 KiB".
std::string number_text(const ChartAxis& axis, double value);

/// Rectangle of a chart that contains its series, and its axes. Units: pixels.
class Plot {
 public:
  /// least_left: least room at the left, for names below the plot.
  Plot(ChartSize size, const ChartScale& y_scale, double least_left);

  double left() const { return left_; }
  double right() const { return left_ + width_; }
  double top() const { return kPageMargin + kPageHeadHeight; }
  double bottom() const { return top() + height_; }
  double width() const { return width_; }

  /// Pixels of a share of the width from the left end, and of the height from the bottom.
  double x(double share) const { return left_ + share * width_; }
  double y(double share) const { return bottom() - share * height_; }

  void draw_y_axis(const ChartScale& scale, Drawing& drawing) const;
  void draw_x_axis(const ChartScale& scale, Drawing& drawing) const;
  /// Draws the frame. A cut axis has a zigzag at its cut end.
  void draw_frame(bool is_x_cut, bool is_y_cut, Drawing& drawing) const;

  /// Picture of `drawing`, which ends `below` pixels below the plot.
  Picture picture(const std::string& title, const std::string& note, double below,
                  std::vector<LegendEntry> legend, const Drawing& drawing) const;

 private:
  double left_;
  double width_;
  double height_;
};

/// Number of ticks that an axis from bottom to top has room for.
std::size_t most_y_ticks(ChartSize size);

/// Width of a plot whose numbers on the left have the usual length.
double usual_width(ChartSize size);

void check_number_of_series(std::size_t series);

}  // namespace xorloom
