#include "cli/pages/reads_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/shell/code_title.hpp"
#include "cli/shell/help.hpp"
#include "codes/bits.hpp"
#include "equations/reads/fewest_reads.hpp"
#include "equations/request/request.hpp"
#include "gen/pictures/grids_svg.hpp"

namespace xorloom::cli {
namespace {

/// Search for fewest reads, per code: half a second at most.
constexpr std::uint64_t kPageWork = kUsualReadWork << 9;

/// The most cells per location that are drawn in text.
constexpr std::size_t kMostRowsShown = 64;

struct Shown {
  ReadsPicture picture;
  RepairReads reads;
};

Shown shown(const std::string& title, const Code& code, const std::vector<std::size_t>& lost) {
  const Code cells = readable(code);
  const Reads found = fewest_reads(cells, {.lost = lost, .work = kPageWork});
  RepairReads reads = repair_reads(code.locations - lost.size(), cells.subchunks, found.map.inputs,
                                   lost.size() * cells.subchunks);
  reads.least = found.least;
  return {{.title = code.family == "file" ? code.name() : title,
           .note = fmt::format("{:.2f} bytes read per byte rebuilt", reads.bytes_per_byte()),
           .locations = cells.locations,
           .cells = cells.subchunks,
           .lost = lost,
           .read = found.map.inputs},
          reads};
}

/// A line per cell, a column per location: x is lost, # is read, . is not read.
std::string grid_text(const ReadsPicture& picture) {
  const std::size_t width = fmt::to_string(picture.locations - 1).size();
  const std::size_t row_width = fmt::to_string(picture.cells - 1).size();
  if (picture.cells > kMostRowsShown ||
      2 + row_width + picture.locations * (width + 1) > kColumns) {
    return "  too large for a terminal: --format svg draws it\n";
  }
  std::string text;
  text += fmt::format("  {:>{}}", "", row_width);
  for (std::size_t l = 0; l < picture.locations; ++l) text += fmt::format(" {:>{}}", l, width);
  text += '\n';
  for (std::size_t row = 0; row < picture.cells; ++row) {
    text += fmt::format("  {:>{}}", row, row_width);
    for (std::size_t l = 0; l < picture.locations; ++l) {
      const bool is_lost = std::ranges::find(picture.lost, l) != picture.lost.end();
      const auto cell = static_cast<Cell>(l * picture.cells + row);
      const bool is_read = std::ranges::binary_search(picture.read, cell);
      text += fmt::format(" {:>{}}", is_lost ? "x" : is_read ? "#" : ".", width);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string reads_page(const std::vector<std::pair<std::string, Code>>& codes,
                       const std::vector<std::size_t>& lost, const std::string& format) {
  std::vector<ReadsPicture> pictures;
  std::string text;
  for (const auto& [title, code] : codes) {
    Shown repair = shown(title, code, lost);
    if (!text.empty()) text += '\n';
    std::string told = to_string(repair.reads);
    const std::size_t end = told.find('\n');
    if (end != std::string::npos) told.replace(end, 1, "; ");
    text += fmt::format("{}\n  {}\n\n{}", wrapped(short_spec(code), 0), wrapped(told, 2),
                        grid_text(repair.picture));
    pictures.push_back(std::move(repair.picture));
  }
  if (format == "svg") return svg_page(draw_reads(pictures));
  return text + "\nx is lost, # is read, . is not read.\n";
}

}  // namespace xorloom::cli
