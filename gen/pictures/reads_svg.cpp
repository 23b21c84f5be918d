#include "gen/pictures/reads_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codes/text/error.hpp"
#include "gen/pictures/code_grids.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr std::size_t kChunkHeight = 192;
constexpr std::size_t kChunkWidth = 22;
constexpr std::size_t kChunkGap = 4;
constexpr std::size_t kNoteHeight = 26;
constexpr std::size_t kPatternGap = 36;
constexpr std::size_t kReadsLetter = 8;

/// Cells up to which each has a line around it.
constexpr std::size_t kMostOutlined = 32;

constexpr const char* kRead = "#1f77d0";
constexpr const char* kLost = "#d03a4e";

void check(const ReadsPicture& picture) {
  if (picture.locations <= kMostGridColumns && picture.cells <= kMostGridRows) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} has {} locations of {} cells, more than the {} of {} that are drawn",
                   picture.title, picture.locations, picture.cells, kMostGridColumns,
                   kMostGridRows));
}

std::size_t width_of(const ReadsPicture& picture) {
  const std::size_t chunks = picture.locations * (kChunkWidth + kChunkGap);
  return std::max(
      {chunks, picture.title.size() * kReadsLetter, picture.note.size() * kReadsLetter});
}

void draw_box(Drawing& drawing, std::size_t x, double y, double height, const char* color,
              const char* opacity, const char* stroke) {
  drawing.line(
      fmt::format("<rect x=\"{}\" y=\"{:g}\" width=\"{}\" height=\"{:g}\" fill=\"{}\" "
                  "fill-opacity=\"{}\" stroke=\"{}\"/>",
                  x, y, kChunkWidth, height, color, opacity, stroke));
}

void draw_chunk(const ReadsPicture& picture, std::size_t location, std::size_t x, std::size_t top,
                Drawing& drawing) {
  const double cell_height = static_cast<double>(kChunkHeight) / static_cast<double>(picture.cells);
  const auto y_of = [&](std::size_t cell) {
    return static_cast<double>(top) + static_cast<double>(cell) * cell_height;
  };
  if (std::ranges::find(picture.lost, location) != picture.lost.end()) {
    draw_box(drawing, x, y_of(0), static_cast<double>(kChunkHeight), kLost, ".45", kGrey);
    drawing.text(x + kChunkWidth / 2, top + kChunkHeight / 2 + 5, "target", "×");
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
    draw_box(drawing, x, y_of(cell), static_cast<double>(next - cell) * cell_height,
             is_read(cell) ? kRead : kGrey, is_read(cell) ? ".5" : "0",
             is_outlined ? kGrey : "none");
    cell = next;
  }
  draw_box(drawing, x, y_of(0), static_cast<double>(kChunkHeight), kGrey, "0", kGrey);
}

}  // namespace

Picture draw_reads(std::span<const ReadsPicture> pictures) {
  Drawing drawing;
  std::size_t x = kPageMargin;
  std::size_t y = kPageMargin + kPageHeadHeight;
  std::size_t right = 0;
  for (const ReadsPicture& picture : pictures) {
    check(picture);
    if (x != kPageMargin && x + width_of(picture) + kPageMargin > kPageWidth) {
      x = kPageMargin;
      y += kTitleHeight + kChunkHeight + kNoteHeight + kPatternGap;
    }
    drawing.text(x, y + 14, "title", picture.title);
    const std::size_t top = y + kTitleHeight;
    for (std::size_t location = 0; location < picture.locations; ++location) {
      const std::size_t left = x + location * (kChunkWidth + kChunkGap);
      drawing.text(left + kChunkWidth / 2, top - 6, "name", fmt::format("{}", location));
      draw_chunk(picture, location, left, top, drawing);
    }
    drawing.text(x, top + kChunkHeight + 20, "note", picture.note);
    right = std::max(right, x + width_of(picture));
    x += width_of(picture) + kPatternGap;
  }
  const std::string note =
      "Each column is a chunk. × marks a lost chunk; cells that are read are filled.";
  const std::size_t height =
      y + kTitleHeight + kChunkHeight + kNoteHeight + kFootHeight + kPageMargin;
  return {std::max(right, note.size() * 7) + kPageMargin, height, "What a repair reads", note,
          drawing.so_far()};
}

}  // namespace xorloom
