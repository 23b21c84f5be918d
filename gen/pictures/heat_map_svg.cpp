#include "gen/pictures/heat_map_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace xorloom {
namespace {

// Pixels.
constexpr std::size_t kHeatWidth = 84;
constexpr std::size_t kHeatHeight = 28;
constexpr std::size_t kHeatLetter = 8;
constexpr std::size_t kHeatColumns = 44;  ///< heading and names of the columns

constexpr const char* kHeatAbove = "#1f77d0";
constexpr const char* kHeatBelow = "#d03a4e";
constexpr double kHeatOpacity = 0.6;
constexpr double kHeatDarkest = 4;  ///< the ratio, or its inverse, from which a color is not darker

std::string heat_cell(std::size_t x, std::size_t y, double ratio, const std::string& title) {
  const double share = std::min(1.0, std::abs(std::log(ratio)) / std::log(kHeatDarkest));
  return path("cell", fmt::format("M{} {}h{}v{}h-{}z", x, y, kHeatWidth, kHeatHeight, kHeatWidth),
              title,
              fmt::format(R"(fill="{}" fill-opacity="{:.2f}" stroke="#8b949e")",
                          ratio < 1 ? kHeatBelow : kHeatAbove, share * kHeatOpacity));
}

}  // namespace

Picture draw_heat_map(const HeatMap& map) {
  std::size_t names_width = 0;
  for (const std::string& name : map.row_names) {
    names_width = std::max(names_width, text_width(name, kHeatLetter));
  }
  const std::size_t left = kPageMargin + names_width + kPageMargin;
  const std::size_t top = kPageMargin + kPageHeadHeight + kHeatColumns;
  const auto x_of = [&](std::size_t column) { return left + column * kHeatWidth; };
  const auto y_of = [&](std::size_t row) { return top + row * kHeatHeight; };
  const std::size_t right = x_of(map.column_names.size());

  Drawing drawing;
  drawing.text((left + right) / 2, top - 28, "name", map.columns);
  for (std::size_t c = 0; c < map.column_names.size(); ++c) {
    drawing.text(x_of(c) + kHeatWidth / 2, top - 8, "name", map.column_names[c]);
  }
  for (std::size_t r = 0; r < map.row_names.size(); ++r) {
    const std::size_t middle = y_of(r) + kHeatHeight / 2 + 4;
    drawing.text(left - 8, middle, "name end", map.row_names[r]);
    for (std::size_t c = 0; c < map.column_names.size(); ++c) {
      const std::optional<double> ratio = map.ratios[r][c];
      if (!ratio) continue;
      const std::string number = fmt::format("{:.{}f}", *ratio, *ratio < 10 ? 2 : 0);
      drawing.line(
          heat_cell(x_of(c), y_of(r), *ratio,
                    fmt::format("{}, {}: {}", map.row_names[r], map.column_names[c], number)));
      drawing.text(x_of(c) + kHeatWidth / 2, middle, "over", number);
    }
  }
  return drawing.picture(right + kPageMargin, y_of(map.row_names.size()) + kPageMargin + kNoteLine,
                         map.head, map.note);
}

}  // namespace xorloom
