#include "bench/lab/hardware_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codes/text/counted.hpp"
#include "equations/files/equation_file.hpp"
#include "gen/pictures/element_groups.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kHardwareTop = kPageMargin + kPageHeadHeight;

// Pixels of a coprocessor.
constexpr std::size_t kMemoryWidth = 76;
constexpr std::size_t kColumn = 78;  ///< from one data element to the next
constexpr std::size_t kRow = 92;     ///< from one redundant element to the next
constexpr std::size_t kMultiplier = 24;

// Pixels of engines.
constexpr std::size_t kCell = 22;
constexpr std::size_t kLine = 24;
constexpr std::size_t kHardwareNames = 44;
constexpr std::size_t kSum = 46;

class CoprocessorPicture {
 public:
  CoprocessorPicture(std::size_t k, std::size_t m) : k_(k), m_(m) {}

  Picture picture() {
    const std::size_t bottom = row(m_ - 1) + 56;
    drawing_.line(rect("box", kPageMargin, row(0) - 40, kMemoryWidth, bottom - row(0) + 30, 3));
    drawing_.text(kPageMargin + kMemoryWidth / 2, row(0) - 14, "name", "matrix");
    drawing_.text(kPageMargin + kMemoryWidth / 2, row(0) + 2, "name", "memory");
    for (std::size_t j = 0; j < k_; ++j) draw_data(j);
    for (std::size_t i = 0; i < m_; ++i) draw_row(i);
    return drawing_.picture(
        column(k_ - 1) + 190 + kPageMargin, bottom + 48,
        fmt::format("Coprocessor: {} from {}, {}", counted(m_, "element"), k_,
                    counted(k_ * m_, "multiplier")),
        "× multiplies by a factor g out of the matrix memory, ⊕ adds the products of a row.\n"
        "A register at the end of a row adds up the tiles of a matrix that is larger than the "
        "array.");
  }

 private:
  std::size_t column(std::size_t j) const { return kPageMargin + kMemoryWidth + 64 + j * kColumn; }
  std::size_t row(std::size_t i) const { return kHardwareTop + 76 + i * kRow; }

  /// An element, and the line on which it goes to the multiplier of each row.
  void draw_data(std::size_t j) {
    const std::size_t x = column(j) - 24;
    drawing_.text(x, kHardwareTop + 14, "target", fmt::format("e{}", j + 1));
    std::string line = fmt::format("M{} {}V{}", x, kHardwareTop + 20, row(m_ - 1));
    for (std::size_t i = 0; i < m_; ++i) line += fmt::format("M{} {}h12", x, row(i));
    drawing_.line(path("frame", line));
  }

  void draw_row(std::size_t i) {
    const std::size_t y = row(i);
    const std::size_t sum_y = y + 34;
    const std::size_t end = column(k_ - 1) + 46;
    drawing_.line(fmt::format("<g class=\"{}\">", ink(i)));
    // Factors from the memory come from above, products go down to the adders.
    std::string factors =
        fmt::format("M{} {}H{}", kPageMargin + kMemoryWidth, y - 26, column(k_ - 1));
    std::string products = fmt::format("M{} {}V{}H{}", column(0), y + kMultiplier / 2, sum_y, end);
    for (std::size_t j = 0; j < k_; ++j) {
      factors += fmt::format("M{} {}v14", column(j), y - 26);
      if (j > 0) products += fmt::format("M{} {}V{}", column(j), y + kMultiplier / 2, sum_y - 7);
    }
    drawing_.line(path("tie", factors) + path("line", products));
    for (std::size_t j = 0; j < k_; ++j) {
      drawing_.line(rect("box", column(j) - kMultiplier / 2, y - kMultiplier / 2, kMultiplier,
                         kMultiplier, kMultiplier / 2) +
                    path("line", fmt::format("M{} {}l8 8m0-8l-8 8", column(j) - 4, y - 4)));
      if (j > 0) draw_adder(column(j), sum_y);
      drawing_.text(column(j) + 6, y - 16, "small start", fmt::format("g{},{}", j + 1, i + 1));
    }
    // The register, and its way back.
    draw_adder(end, sum_y);
    drawing_.line(path("line", fmt::format("M{} {}h22M{} {}h30m-15 0v-22H{}v15", end + 7, sum_y,
                                           end + 53, sum_y, end)) +
                  rect("box", end + 29, sum_y - 12, 24, 24));
    drawing_.line("</g>");
    drawing_.text(end + 90, sum_y + 4, "target start", fmt::format("e{}", k_ + i + 1));
  }

  void draw_adder(std::size_t x, std::size_t y) {
    drawing_.line(rect("box", x - 7, y - 7, 14, 14, 7) +
                  path("line", fmt::format("M{} {}h14m-7-7v14", x - 7, y)));
  }

  std::size_t k_;
  std::size_t m_;
  Drawing drawing_;
};

class EnginesPicture {
 public:
  explicit EnginesPicture(const Program& program)
      : program_(program),
        inks_(inks_of(program)),
        place_(program.end_of_elements(), kNone),
        is_output_(program.end_of_elements()) {
    for (std::size_t i = 0; i < program.inputs.size(); ++i) place_[program.inputs[i]] = i;
    for (const Element output : program.outputs) is_output_[output] = true;
    std::vector<bool> is_shared(program.end_of_elements());
    for (const Equation& equation : program.equations) {
      for (const Element operand : equation.operands) {
        if (place_[operand] == kNone) is_shared[operand] = true;
      }
    }
    // A shared value stands in a column of its own, right of the sums.
    for (const Equation& equation : program.equations) {
      if (!is_shared[equation.target]) continue;
      place_[equation.target] = program.inputs.size() + shared_.size();
      shared_.push_back(equation.target);
    }
  }

  Picture picture() {
    for (const Element input : program_.inputs) draw_name(input);
    for (const Element element : shared_) draw_name(element);
    drawing_.text(sum_left() + kSum / 2, kHardwareTop + 12, "name", "sum");
    for (const Equation& equation : program_.equations) draw_equation(equation);
    Picture picture = drawing_.picture(
        right() + kHardwareNames + kPageMargin, top_of(row_) + (shared_.empty() ? 34 : 52),
        fmt::format("{}, {} through{}", counted(engines_, "XOR engine"),
                    counted(program_.inputs.size(), "element streams", "elements stream"),
                    gates_ == 0 ? ""
                                : fmt::format(", {} sums", counted(gates_, "XOR gate shares",
                                                                   "XOR gates share"))),
        fmt::format("Elements come from left to right, one per clock. A dot: the engine adds the "
                    "element.{}",
                    shared_.empty()
                        ? ""
                        : "\nRight of the sums, a dot is an XOR gate that adds a shared value."));
    picture.hint = "Point at a row to see its equation.";
    return picture;
  }

 private:
  std::size_t sum_left() const {
    return kPageMargin + kHardwareNames + program_.inputs.size() * kCell + kCell / 2;
  }
  std::size_t right() const { return sum_left() + kSum + kCell / 2 + shared_.size() * kCell; }
  std::size_t middle_of(Element element) const {
    const std::size_t place = place_[element];
    const std::size_t inputs = program_.inputs.size();
    if (place < inputs) return kPageMargin + kHardwareNames + place * kCell + kCell / 2;
    return sum_left() + kSum + kCell / 2 + (place - inputs) * kCell + kCell / 2;
  }
  std::size_t top_of(std::size_t row) const { return kHardwareTop + 22 + row * kLine; }

  void draw_name(Element element) {
    drawing_.text(middle_of(element), kHardwareTop + 12, "name", element_name(program_, element));
  }

  void draw_equation(const Equation& equation) {
    const std::size_t y = top_of(row_++) + kLine / 2;
    const std::string name = element_name(program_, equation.target);
    std::string dots;
    std::size_t inputs = 0;
    for (const Element operand : equation.operands) {
      if (place_[operand] < program_.inputs.size()) ++inputs;
      dots += fmt::format("M{} {}a5 5 0 1 0 10 0a5 5 0 1 0-10 0", middle_of(operand) - 5, y);
    }
    const std::size_t others = equation.operands.size() - inputs;
    if (inputs > 0) ++engines_;
    if (others > 0) gates_ += inputs > 0 ? others : others - 1;
    const std::size_t left = kPageMargin + kHardwareNames;
    drawing_.line(
        stop("row", inks_[equation.target], equation_text(program_, equation)) +
        rect("hit", kPageMargin, y - kLine / 2, right() + kHardwareNames - kPageMargin, kLine) +
        path("rule", fmt::format("M{} {}H{}", left, y, right())) + path("fill", dots));
    if (inputs > 0) {
      drawing_.line(rect("box", sum_left(), y - 9, kSum, 18) +
                    rect("wash", sum_left(), y - 9, kSum, 18) +
                    path("line", fmt::format("M{} {}h12m-6-6v12", sum_left() + kSum / 2 - 6, y)));
    }
    drawing_.line("</g>");
    const bool is_output = is_output_[equation.target];
    drawing_.text(left - 8, y + 4, is_output ? "target end" : "end", name);
    if (is_output) drawing_.text(right() + 8, y + 4, "target start", name);
  }

  const Program& program_;
  std::vector<std::size_t> inks_;
  std::vector<std::size_t> place_;
  std::vector<bool> is_output_;
  std::vector<Element> shared_;
  std::size_t row_ = 0;
  std::size_t engines_ = 0;
  std::size_t gates_ = 0;
  Drawing drawing_;
};

}  // namespace

std::optional<Picture> draw_coprocessor(std::size_t k, std::size_t m) {
  if (k < 1 || m < 1 || k > kMostDrawnMultipliers || m > kMostDrawnMultipliers) return std::nullopt;
  return CoprocessorPicture(k, m).picture();
}

std::optional<Picture> draw_xor_engines(const Program& program) {
  if (program.inputs.size() > kMostDrawnEngines || program.equations.size() > kMostDrawnEngines) {
    return std::nullopt;
  }
  return EnginesPicture(program).picture();
}

}  // namespace xorloom
