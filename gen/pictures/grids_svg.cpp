#include "gen/pictures/grids_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "gen/pictures/code_grids.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr std::size_t kPageWidth = 960;  ///< further grids go on below
constexpr std::size_t kTitleHeight = 44;
constexpr std::size_t kFootHeight = 34;  ///< below the last grid
constexpr std::size_t kTextLetter = 8;
constexpr std::size_t kCellWidth = 34;  ///< least width of a cell
constexpr std::size_t kCellHeight = 24;
constexpr std::size_t kNameWidth = 34;  ///< before a grid's rows
constexpr std::size_t kGridGap = 28;
constexpr std::size_t kChunkHeight = 192;
constexpr std::size_t kChunkWidth = 22;
constexpr std::size_t kChunkGap = 4;
constexpr std::size_t kNoteHeight = 26;
constexpr std::size_t kPatternGap = 36;

/// Most cells of a chunk that have a line around each.
constexpr std::size_t kMostOutlined = 32;

/// Colors of sums, in turn. They are washes over the page below, so that they suit light and dark
/// pages.
constexpr std::array kColors = {"#1f77d0", "#e07b1a", "#2a9d4a", "#d03a4e",
                                "#8257c9", "#b08d12", "#17a2a8", "#c2549d"};
constexpr const char* kGrey = "#8b949e";  ///< neither light nor dark
constexpr const char* kRead = kColors[0];
constexpr const char* kLost = kColors[3];

struct Wash {
  const char* color;
  const char* opacity;
  const char* stroke = kGrey;
};

/// Grids side by side as far as the page has room, and then below.
class GridPage {
 public:
  explicit GridPage(std::size_t gap) : gap_(gap) {}

  /// Begins a grid, with its title. Coordinates of its parts count from x_ and y_.
  void begin(const std::string& title, std::size_t width, std::size_t height) {
    if (next_x_ != kPageMargin && next_x_ + width + kPageMargin > kPageWidth) {
      next_x_ = kPageMargin;
      y_ += row_height_ + gap_;
      row_height_ = 0;
    }
    x_ = next_x_;
    text(0, 14, "title", title);
    right_ = std::max(right_, x_ + width);
    row_height_ = std::max(row_height_, height);
    next_x_ += width + gap_;
  }

  void text(std::size_t x, std::size_t y, const char* styles, const std::string& content) {
    drawing_.text(x_ + x, y_ + y, styles, content);
  }

  void cell(std::size_t x, double y, std::size_t width, double height, const Wash& wash) {
    drawing_.line(fmt::format(
        "<rect x=\"{}\" y=\"{:g}\" width=\"{}\" height=\"{:g}\" fill=\"{}\" "
        "fill-opacity=\"{}\" stroke=\"{}\"/>",
        x_ + x, static_cast<double>(y_) + y, width, height, wash.color, wash.opacity, wash.stroke));
  }

  Picture picture(const std::string& head, const std::string& note) const {
    const std::size_t text = std::max(note.size() * kNoteLetter, head.size() * kHeadLetter);
    return {std::max(right_, text) + kPageMargin, y_ + row_height_ + kFootHeight + kPageMargin,
            head, note, drawing_.so_far()};
  }

 private:
  std::size_t gap_;
  std::size_t x_ = 0;
  std::size_t y_ = kPageMargin + kPageHeadHeight;
  std::size_t next_x_ = kPageMargin;
  std::size_t row_height_ = 0;
  std::size_t right_ = 0;
  Drawing drawing_;
};

/// Width of cells into which every mark fits.
std::size_t cell_width_of(const std::vector<CodeGrid>& grids) {
  std::size_t longest = 0;
  for (const CodeGrid& grid : grids) {
    for (const auto& row : grid.rows) {
      for (const GridMark& mark : row) longest = std::max(longest, mark.text.size());
    }
  }
  return std::max(kCellWidth, longest * 9 + 6);
}

Wash wash_of(const GridMark& mark) {
  const char* const color = kColors[mark.sum % kColors.size()];
  switch (mark.kind) {
    case GridMark::Kind::kData:
      return {kGrey, "0"};
    case GridMark::Kind::kRedundant:
      return {kGrey, ".2"};
    case GridMark::Kind::kTerm:
      return {color, ".22"};
    case GridMark::Kind::kTermOfAll:
      return {kGrey, ".5"};
    case GridMark::Kind::kTarget:
      return {color, ".55"};
  }
  return {};
}

void draw(const CodeGrid& grid, std::size_t cell_width, GridPage& page) {
  const std::size_t columns = grid.rows.front().size();
  page.begin(grid.title,
             std::max(kNameWidth + columns * cell_width, grid.title.size() * kTextLetter),
             kTitleHeight + grid.rows.size() * kCellHeight);
  for (std::size_t c = 0; c < columns; ++c) {
    page.text(kNameWidth + c * cell_width + cell_width / 2, kTitleHeight - 6, "name",
              fmt::format("{}", c));
  }
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    const std::size_t y = kTitleHeight + r * kCellHeight;
    page.text(kNameWidth / 2, y + 16, "name", grid.row_names[r]);
    for (std::size_t c = 0; c < columns; ++c) {
      const GridMark& mark = grid.rows[r][c];
      const std::size_t x = kNameWidth + c * cell_width;
      page.cell(x, static_cast<double>(y), cell_width, kCellHeight, wash_of(mark));
      if (mark.text.empty()) continue;
      const bool is_target = mark.kind == GridMark::Kind::kTarget;
      page.text(x + cell_width / 2, y + 17, is_target ? "target" : "letter", mark.text);
    }
  }
}

void draw_chunk(const ReadsPicture& picture, std::size_t location, std::size_t x, GridPage& page) {
  const double cell_height = static_cast<double>(kChunkHeight) / static_cast<double>(picture.cells);
  if (std::ranges::find(picture.lost, location) != picture.lost.end()) {
    page.cell(x, kTitleHeight, kChunkWidth, kChunkHeight, {kLost, ".45"});
    page.text(x + kChunkWidth / 2, kTitleHeight + kChunkHeight / 2 + 5, "target", "×");
    return;
  }
  const auto is_read = [&](std::size_t cell) {
    return std::ranges::binary_search(picture.read,
                                      static_cast<Cell>(location * picture.cells + cell));
  };
  const bool is_outlined = picture.cells <= kMostOutlined;
  for (std::size_t cell = 0; cell < picture.cells;) {
    std::size_t next = cell + 1;
    while (!is_outlined && next < picture.cells && is_read(next) == is_read(cell)) ++next;
    page.cell(
        x, kTitleHeight + static_cast<double>(cell) * cell_height, kChunkWidth,
        static_cast<double>(next - cell) * cell_height,
        {is_read(cell) ? kRead : kGrey, is_read(cell) ? ".5" : "0", is_outlined ? kGrey : "none"});
    cell = next;
  }
  page.cell(x, kTitleHeight, kChunkWidth, kChunkHeight, {kGrey, "0"});
}

void draw(const ReadsPicture& picture, GridPage& page) {
  if (picture.locations > kMostGridColumns || picture.cells > kMostGridRows) {
    fail(Status::kInvalidArgument, "{} has {} of {}, more than the {} of {} that are drawn",
         picture.title, counted(picture.locations, "location"), counted(picture.cells, "cell"),
         kMostGridColumns, kMostGridRows);
  }
  page.begin(picture.title,
             std::max({picture.locations * (kChunkWidth + kChunkGap),
                       picture.title.size() * kTextLetter, picture.note.size() * kTextLetter}),
             kTitleHeight + kChunkHeight + kNoteHeight);
  for (std::size_t location = 0; location < picture.locations; ++location) {
    const std::size_t x = location * (kChunkWidth + kChunkGap);
    page.text(x + kChunkWidth / 2, kTitleHeight - 6, "name", fmt::format("{}", location));
    draw_chunk(picture, location, x, page);
  }
  page.text(0, kTitleHeight + kChunkHeight + 20, "note", picture.note);
}

}  // namespace

Picture draw_code(const Code& code) {
  const std::vector<CodeGrid> grids = grids_of(code);
  GridPage page(kGridGap);
  const std::size_t cell_width = cell_width_of(grids);
  for (const CodeGrid& grid : grids) draw(grid, cell_width, page);
  const bool is_short = code.family != "file" && code.spec.size() * kHeadLetter <= kPageWidth;
  return page.picture(is_short ? code.spec : code.name(), grids_legend(code, grids));
}

Picture draw_reads(std::span<const ReadsPicture> pictures) {
  GridPage page(kPatternGap);
  for (const ReadsPicture& picture : pictures) draw(picture, page);
  return page.picture("What a repair reads",
                      "Each column is a chunk. × marks a lost chunk; what is read is filled.");
}

}  // namespace xorloom
