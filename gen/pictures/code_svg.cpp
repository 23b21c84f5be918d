#include "gen/pictures/code_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "gen/pictures/code_grids.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr std::size_t kCellWidth = 34;  ///< at least
constexpr std::size_t kCellHeight = 24;
constexpr std::size_t kNameWidth = 34;  ///< before a grid's rows
constexpr std::size_t kGap = 28;
constexpr std::size_t kMargin = kPageMargin;
constexpr std::size_t kHeadHeight = kPageHeadHeight;

/// Of sums, in turn. They are washes over whatever page lies below, so that they do in the light
/// and in the dark.
constexpr std::array kColors = {"#1f77d0", "#e07b1a", "#2a9d4a", "#d03a4e",
                                "#8257c9", "#b08d12", "#17a2a8", "#c2549d"};

/// So wide that every mark fits.
std::size_t cell_width_of(const std::vector<CodeGrid>& grids) {
  std::size_t longest = 0;
  for (const CodeGrid& grid : grids) {
    for (const auto& row : grid.rows) {
      for (const GridMark& mark : row) longest = std::max(longest, mark.text.size());
    }
  }
  return std::max(kCellWidth, longest * 9 + 6);
}

std::size_t width_of(const CodeGrid& grid, std::size_t cell_width) {
  const std::size_t cells = kNameWidth + grid.rows.front().size() * cell_width;
  return std::max(cells, grid.title.size() * 8);
}

std::size_t height_of(const CodeGrid& grid) {
  return kTitleHeight + grid.rows.size() * kCellHeight;
}

struct Wash {
  const char* color;
  const char* opacity;
};

Wash wash_of(const GridMark& mark) {
  switch (mark.kind) {
    case GridMark::Kind::kData:
      return {kGrey, "0"};
    case GridMark::Kind::kRedundant:
      return {kGrey, ".2"};
    case GridMark::Kind::kTerm:
      return {kColors[mark.sum % kColors.size()], ".22"};
    case GridMark::Kind::kTermOfAll:
      return {kGrey, ".5"};
    case GridMark::Kind::kTarget:
      return {kColors[mark.sum % kColors.size()], ".55"};
  }
  return {};
}

void draw(const CodeGrid& grid, std::size_t cell_width, std::size_t left, std::size_t top,
          Drawing& drawing) {
  drawing.text(left, top + 14, "title", grid.title);
  const std::size_t x0 = left + kNameWidth;
  const std::size_t y0 = top + kTitleHeight;
  for (std::size_t c = 0; c < grid.rows.front().size(); ++c) {
    drawing.text(x0 + c * cell_width + cell_width / 2, y0 - 6, "name", fmt::format("{}", c));
  }
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    const std::size_t y = y0 + r * kCellHeight;
    drawing.text(left + kNameWidth / 2, y + 16, "name", grid.row_names[r]);
    for (std::size_t c = 0; c < grid.rows[r].size(); ++c) {
      const GridMark& mark = grid.rows[r][c];
      const std::size_t x = x0 + c * cell_width;
      const Wash wash = wash_of(mark);
      drawing.line(
          fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
                      "fill-opacity=\"{}\" stroke=\"{}\"/>",
                      x, y, cell_width, kCellHeight, wash.color, wash.opacity, kGrey));
      if (mark.text.empty()) continue;
      const bool is_target = mark.kind == GridMark::Kind::kTarget;
      drawing.text(x + cell_width / 2, y + 17, is_target ? "target" : "letter", mark.text);
    }
  }
}

}  // namespace

Picture draw_code(const Code& code) {
  const std::vector<CodeGrid> grids = grids_of(code);
  const std::size_t cell_width = cell_width_of(grids);
  Drawing drawing;
  std::size_t x = kMargin;
  std::size_t y = kMargin + kHeadHeight;
  std::size_t row_height = 0;
  std::size_t right = 0;
  for (const CodeGrid& grid : grids) {
    if (x != kMargin && x + width_of(grid, cell_width) + kMargin > kPageWidth) {
      x = kMargin;
      y += row_height + kGap;
      row_height = 0;
    }
    draw(grid, cell_width, x, y, drawing);
    right = std::max(right, x + width_of(grid, cell_width));
    row_height = std::max(row_height, height_of(grid));
    x += width_of(grid, cell_width) + kGap;
  }
  const std::string note = grids_legend(code, grids);
  const bool is_short = code.family != "file" && code.spec.size() * kHeadLetter <= kPageWidth;
  const std::string head = is_short ? code.spec : code.name();
  const std::size_t width = std::max({right, note.size() * 7, head.size() * kHeadLetter}) + kMargin;
  const std::size_t height = y + row_height + kFootHeight + kMargin;
  return {width, height, head, note, drawing.so_far()};
}

}  // namespace xorloom
