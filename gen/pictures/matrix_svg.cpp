#include "gen/pictures/matrix_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/equation_file.hpp"
#include "gen/pictures/element_groups.hpp"

namespace xorloom {
namespace {

// Pixels.
constexpr std::size_t kLargeCell = 26;  ///< has room for a number
constexpr std::size_t kSmallCell = 13;  ///< numbers of columns stand upright
constexpr std::size_t kUsualWidth = 1040;
constexpr std::size_t kNames = 48;      ///< left of the rows
constexpr std::size_t kLocations = 22;  ///< a line of names
constexpr std::size_t kOnes = 56;       ///< right of the rows

struct MatrixSizes {
  std::size_t cell = 0;
  std::size_t column_names = 0;  ///< above the columns

  bool is_large() const { return cell == kLargeCell; }
  bool has_names() const { return cell >= kSmallCell; }
};

MatrixSizes sizes_of(std::size_t columns) {
  if (columns * kLargeCell <= kUsualWidth / 2) return {kLargeCell, 18};
  if (columns * kSmallCell <= kUsualWidth) return {kSmallCell, 26};
  return {std::max<std::size_t>(2, kUsualWidth / columns), 0};
}

/// Borders of groups, in cells.
std::vector<std::size_t> borders_of(const std::vector<ElementGroup>& groups) {
  std::vector<std::size_t> borders{0};
  for (const ElementGroup& group : groups) {
    borders.push_back(borders.back() + group.elements.size());
  }
  return borders;
}

std::string heading_of(const Program& program, const std::vector<Equation>& rows) {
  std::size_t filled = 0;
  for (const Equation& row : rows) filled += row.operands.size();
  const std::string counts =
      program.is_xor() ? counted(filled, "one")
                       : fmt::format("{} that {} not zero", filled, filled == 1 ? "is" : "are");
  return fmt::format("{} x {} {}, {}", rows.size(), program.inputs.size(),
                     program.is_xor() ? "bits" : "symbols", counts);
}

class Sheet {
 public:
  explicit Sheet(const Program& program)
      : program_(program),
        rows_(written_out(program).equations),
        columns_(program.inputs.size()),
        sizes_(sizes_of(columns_)),
        left_(kPageMargin + kLocations + kNames),
        top_(kPageMargin + kPageHeadHeight + kLocations + sizes_.column_names),
        column_of_(program.end_of_elements()) {
    for (std::size_t c = 0; c < columns_; ++c) column_of_[program.inputs[c]] = c;
  }

  Picture picture() {
    const std::size_t width = columns_ * sizes_.cell;
    const std::size_t height = rows_.size() * sizes_.cell;
    draw_locations();
    if (sizes_.has_names()) draw_names();
    for (std::size_t row = 0; row < rows_.size(); ++row) draw_row(row);
    if (sizes_.has_names()) {
      draw_lines("rule", all_up_to(columns_), all_up_to(rows_.size()));
    }
    draw_lines("border", borders_of(groups_of(program_, program_.inputs)),
               borders_of(groups_of(program_, program_.outputs)));
    const std::string note =
        program_.is_xor()
            ? "Each row is an output: the sum of the inputs that have a one in it. The number\n"
              "at its end counts the ones. Lines separate chunks."
            : "Each row is an output: the sum of the inputs, each times the symbol in its column.\n"
              "The number at its end counts those that are not zero. Lines separate chunks.";
    return drawing_.picture(left_ + width + kOnes, top_ + height + 64,
                            kPageMargin + text_width(note, kNoteLetter) * 5 / 8,
                            heading_of(program_, rows_), note,
                            "Point at a row, tap it, or tab to it, to see its sum.");
  }

 private:
  static std::vector<std::size_t> all_up_to(std::size_t last) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i <= last; ++i) all.push_back(i);
    return all;
  }

  void draw_locations() {
    const auto for_each = [&](const std::vector<Element>& elements, const auto& draw) {
      std::size_t at = 0;
      for (const ElementGroup& group : groups_of(program_, elements)) {
        const std::size_t length = group.elements.size() * sizes_.cell;
        const bool has_room = text_width(group_name(group), 7) <= length;
        draw(at * sizes_.cell + length / 2, length,
             has_room ? group_name(group) : fmt::format("{}", group.location), has_room);
        at += group.elements.size();
      }
    };
    for_each(program_.inputs,
             [&](std::size_t middle, std::size_t length, const std::string& name, bool has_room) {
               if (!has_room && length < 16) return;
               drawing_.text(left_ + middle, top_ - sizes_.column_names - 6, "name", name);
             });
    for_each(program_.outputs,
             [&](std::size_t middle, std::size_t length, const std::string& name, bool) {
               if (length < 14) return;
               drawing_.turned_text(kPageMargin + 12, top_ + middle, -90, "name", name);
             });
  }

  void draw_names() {
    const std::size_t half = sizes_.cell / 2;
    for (std::size_t c = 0; c < columns_; ++c) {
      const std::string name = element_name(program_, program_.inputs[c]);
      const std::size_t x = left_ + c * sizes_.cell + half;
      if (sizes_.is_large() && text_width(name, 7) <= sizes_.cell) {
        drawing_.text(x, top_ - 5, "small", name);
      } else {
        drawing_.turned_text(x + 3, top_ - 4, -90, "tiny start", name);
      }
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const std::size_t y = top_ + r * sizes_.cell + half + 4;
      drawing_.text(left_ - 6, y, sizes_.is_large() ? "end" : "small end",
                    element_name(program_, program_.outputs[r]));
    }
  }

  void draw_row(std::size_t row) {
    const Equation& equation = rows_[row];
    const std::size_t y = top_ + row * sizes_.cell;
    const std::size_t inset = sizes_.has_names() ? 1 : 0;
    const std::size_t side = sizes_.cell - 2 * inset;
    std::string ones;
    for (const Element operand : equation.operands) {
      ones +=
          fmt::format("M{} {}h{}v{}h-{}z", left_of(operand) + inset, y + inset, side, side, side);
    }
    drawing_.line(stop("row", 0, equation_text(program_, equation)) +
                  rect("hit", left_, y, columns_ * sizes_.cell, sizes_.cell) + path("fill", ones) +
                  "</g>");
    for (const Operand& operand : equation.operands) {
      const std::string name = program_.is_xor() ? element_name(program_, operand)
                                                 : fmt::format("{:x}", operand.coefficient);
      if (!sizes_.is_large() || text_width(name, 7) > sizes_.cell) continue;
      drawing_.text(left_of(operand) + sizes_.cell / 2, y + sizes_.cell / 2 + 4, "small on", name);
    }
    if (!sizes_.has_names()) return;
    drawing_.text(left_ + columns_ * sizes_.cell + 10, y + sizes_.cell / 2 + 4, "small note",
                  fmt::format("{}", equation.operands.size()));
  }

  void draw_lines(const char* style, const std::vector<std::size_t>& columns,
                  const std::vector<std::size_t>& rows) {
    std::string lines;
    for (const std::size_t c : columns) {
      lines += fmt::format("M{} {}v{}", left_ + c * sizes_.cell, top_, rows_.size() * sizes_.cell);
    }
    for (const std::size_t r : rows) {
      lines += fmt::format("M{} {}h{}", left_, top_ + r * sizes_.cell, columns_ * sizes_.cell);
    }
    drawing_.line(path(style, lines));
  }

  std::size_t left_of(Element input) const { return left_ + column_of_[input] * sizes_.cell; }

  const Program& program_;
  std::vector<Equation> rows_;
  std::size_t columns_;
  MatrixSizes sizes_;
  std::size_t left_;
  std::size_t top_;
  std::vector<std::size_t> column_of_;  ///< by input: its column
  Drawing drawing_;
};

}  // namespace

Picture draw_matrix(const Program& program) {
  check_most("rows", program.outputs.size(), kMostMatrixSide);
  check_most("columns", program.inputs.size(), kMostMatrixSide);
  return Sheet(program).picture();
}

}  // namespace xorloom
