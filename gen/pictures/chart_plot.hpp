#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gen/pictures/chart_axis.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Pixels of a digit of a tick.
inline constexpr double kTickLetter = 7;

/// The rectangle of a chart that its series are in, and its axes. Units: pixels.
class Plot {
 public:
  /// least_left: what names below its left end need.
  Plot(ChartSize size, const std::vector<Tick>& y_ticks, double least_left);

  double left() const;
  double right() const;
  double top() const;
  double bottom() const;
  double width() const;

  /// Where a share of its width or height is, from its left end or its bottom.
  double x(double share) const;
  double y(double share) const;

  void draw_y_axis(const ChartScale& scale, const std::string& title, Drawing& drawing) const;
  void draw_x_axis(const ChartScale& scale, const std::string& title, Drawing& drawing) const;
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
