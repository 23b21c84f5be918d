#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gen/pictures/chart_svg.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Pixels of a digit of a tick.
inline constexpr double kTickLetter = 7;

/// The part of the numbers that an axis shows, where they stand on it, and which have a line and a
/// label: the ticks.
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
  double at(double value) const { return (position(value) - low_) / (high_ - low_); }

  const std::vector<double>& ticks() const { return ticks_; }
  const std::string& title() const { return axis_.title; }

  /// "0.25", "1500"; of bytes "64 KiB".
  std::string label(double value) const;

  /// The most bytes of a tick's label.
  std::size_t longest_label() const;

  /// Whether a linear axis begins above 0, though no bound of its values says so.
  bool is_cut() const { return is_cut_; }

 private:
  void set_linear(std::span<const double> values, double low, double high, std::size_t most_ticks);
  void set_logarithmic(double low, double high, std::size_t most_ticks);

  /// From 1, 2 or 5 times a power of ten to another, where there is room for all between.
  bool set_tens(double low, double high, std::size_t most_ticks);

  void set_tail(double high);

  double position(double value) const;

  ChartAxis axis_;
  double low_ = 0;  ///< positions: values, or their logarithms
  double high_ = 1;
  bool is_cut_ = false;
  std::vector<double> ticks_;
};

/// "0.25", "1500"; of bytes "64 KiB".
std::string number_text(const ChartAxis& axis, double value);

/// The rectangle of a chart that its series are in, and its axes. Units: pixels.
class Plot {
 public:
  /// least_left: what names below its left end need.
  Plot(ChartSize size, const ChartScale& y_scale, double least_left);

  double left() const { return left_; }
  double right() const { return left_ + width_; }
  double top() const { return kPageMargin + kPageHeadHeight; }
  double bottom() const { return top() + height_; }
  double width() const { return width_; }

  /// Where a share of its width or height is, from its left end or its bottom.
  double x(double share) const { return left_ + share * width_; }
  double y(double share) const { return bottom() - share * height_; }

  void draw_y_axis(const ChartScale& scale, Drawing& drawing) const;
  void draw_x_axis(const ChartScale& scale, Drawing& drawing) const;
  /// Axes that are cut have a zigzag at that end.
  void draw_frame(bool is_x_cut, bool is_y_cut, Drawing& drawing) const;

  /// What is drawn, as a picture that ends that far below.
  Picture picture(const std::string& title, const std::string& note, double below,
                  std::vector<LegendEntry> legend, const Drawing& drawing) const;

 private:
  double left_;
  double width_;
  double height_;
};

/// Ticks that an axis from bottom to top has room for.
std::size_t most_y_ticks(ChartSize size);

/// The width of a plot whose numbers on the left are of usual length.
double usual_width(ChartSize size);

void check_number_of_series(std::size_t series);

}  // namespace xorloom
