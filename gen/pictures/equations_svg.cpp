#include "gen/pictures/equations_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/cost.hpp"
#include "gen/pictures/element_groups.hpp"
#include "gen/pictures/graph_drawing.hpp"
#include "gen/pictures/graph_layout.hpp"

namespace xorloom {
namespace {

/// Nodes in a column up to which they are large.
constexpr std::size_t kMostLargeNodes = 36;

/// Columns up to which there is room between them for lines to be followed.
constexpr int kMostRoomyColumns = 24;

/// Of a spec in a heading, in letters; where it is longer the family stands for it.
constexpr std::size_t kLongestName = 90;

/// Pixels from the first column to the end of the last one: a page has room for 1180 in all.
constexpr int kRoomForColumns = 1180 - 2 * (kLocationNames + static_cast<int>(kPageMargin));

constexpr int kEquationsTop = static_cast<int>(kPageMargin + kPageHeadHeight) + 12;

struct Sizes {
  int width, height;  ///< of a node
  int pitch;          ///< from one node of a column to the next
  int column_gap;
  const char* letters;
};

Sizes sizes_of(const GraphLayout& layout, std::size_t longest_name) {
  const bool is_large = layout.most_in_a_column <= kMostLargeNodes;
  const int letter = is_large ? 8 : 6;
  const int width = std::max(is_large ? 30 : 22, static_cast<int>(longest_name) * letter + 6);
  const auto columns = static_cast<int>(layout.num_columns);
  const int least = columns > kMostRoomyColumns ? 14 : is_large ? 56 : 44;
  const int room = (kRoomForColumns - width) / std::max(1, columns - 1) - width;
  const int gap = std::clamp(room, least, is_large ? 320 : 700);
  return is_large ? Sizes{width, 20, 26, gap, "xl-small"} : Sizes{width, 12, 14, gap, "xl-tiny"};
}

/// The nodes of a program where they stand, and what is written about them.
class Graph {
 public:
  explicit Graph(const Program& program)
      : program_(program),
        layout_(graph_layout(program)),
        sizes_(sizes_of(layout_, longest_name())),
        inks_(inks_of(program)),
        is_output_(program.end_of_elements()),
        readers_(program.end_of_elements()) {
    for (const Element output : program.outputs) is_output_[output] = true;
    for (const Equation& equation : program.equations) {
      for (const Element operand : equation.operands) {
        readers_[operand].push_back(equation.target);
      }
    }
  }

  Picture picture(const std::string& head) {
    draw_locations(program_.inputs, 0);
    std::vector<Element> last;
    for (const Element output : program_.outputs) {
      if (layout_.column[output] + 1 == layout_.num_columns) last.push_back(output);
    }
    draw_locations(last, layout_.num_columns - 1);
    for (const Element input : program_.inputs) draw_input(input);
    const bool is_dense = sizes_.height < 20;
    drawing_.line(fmt::format("<g class=\"xl-all{}\">", is_dense ? " xl-pale" : ""));
    // From right to left: lines pass under the nodes of columns between.
    for (std::size_t column = layout_.num_columns; column-- > 0;) {
      for (const Equation& equation : program_.equations) {
        if (layout_.column[equation.target] == column) draw_equation(equation);
      }
    }
    drawing_.line("</g>");
    const int right = left_of(layout_.num_columns - 1) + sizes_.width + kLocationNames;
    const int bottom = kEquationsTop + static_cast<int>(layout_.height * sizes_.pitch);
    const std::string note = fmt::format(
        "A node and the lines from its operands have one color; colors repeat.{}",
        has_temporaries() ? " Rounded nodes are temporaries, square ones elements." : "");
    const std::string hint =
        fmt::format("Point at a node, tap it, or tab to it, to see its operands{}.",
                    program_.is_xor() ? "" : " and their coefficients");
    return graph_picture(right, bottom, head, note, hint, !program_.equations.empty(), drawing_);
  }

 private:
  bool has_temporaries() const {
    return std::ranges::any_of(program_.equations, [&](const Equation& equation) {
      return equation.target >= program_.first_temporary();
    });
  }

  std::size_t longest_name() const {
    std::size_t longest = 1;
    const auto see = [&](Element element) {
      longest = std::max(longest, element_name(program_, element).size());
    };
    for (const Element input : program_.inputs) see(input);
    for (const Equation& equation : program_.equations) see(equation.target);
    return longest;
  }

  std::string name(Element element) const { return element_name(program_, element); }

  int left_of(std::size_t column) const {
    return static_cast<int>(kPageMargin) + kLocationNames +
           static_cast<int>(column) * (sizes_.width + sizes_.column_gap);
  }
  int left(Element element) const { return left_of(layout_.column[element]); }
  /// The middle of a node's height.
  int middle(Element element) const {
    return kEquationsTop + static_cast<int>(std::lround(layout_.place[element] * sizes_.pitch)) +
           sizes_.pitch / 2;
  }

  void draw_locations(const std::vector<Element>& elements, std::size_t column) {
    if (program_.rows < 2) return;
    for (const ElementGroup& group : groups_of(program_, elements)) {
      const int from = middle(group.elements.front()) - sizes_.height / 2;
      const int to = middle(group.elements.back()) + sizes_.height / 2;
      const bool is_left = column == 0;
      const int x = is_left ? left_of(0) - 8 : left_of(column) + sizes_.width + 8;
      draw_location(group, x, from, to, is_left, drawing_);
    }
  }

  std::string box(Element element) const {
    const bool is_temporary = element >= program_.first_temporary();
    return fmt::format(
        "<rect class=\"xl-box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
        left(element), middle(element) - sizes_.height / 2, sizes_.width, sizes_.height,
        is_temporary ? sizes_.height / 2 : 2);
  }

  /// Around the node of an operand, in its shape.
  std::string ring(Element element) const {
    constexpr int kOut = 2;
    const int x = left(element) - kOut;
    const int y = middle(element) - sizes_.height / 2 - kOut;
    const int width = sizes_.width + 2 * kOut;
    const int height = sizes_.height + 2 * kOut;
    if (element < program_.first_temporary()) {
      return fmt::format("M{} {}h{}v{}h-{}z", x, y, width, height, width);
    }
    const int round = height / 2;
    const int straight = width - 2 * round;
    return fmt::format("M{} {}h{}a{} {} 0 0 1 0 {}h-{}a{} {} 0 0 1 0 -{}z", x + round, y, straight,
                       round, round, height, straight, round, round, height);
  }

  std::string label(Element element) const {
    return fmt::format("<text class=\"{}{}\" x=\"{}\" y=\"{}\">{}</text>", sizes_.letters,
                       is_output_[element] ? " xl-target" : "", left(element) + sizes_.width / 2,
                       middle(element) + (sizes_.height < 20 ? 3 : 4), name(element));
  }

  void draw_input(Element input) {
    std::string readers;
    for (const Element reader : readers_[input]) {
      readers += readers.empty() ? ", read by " : ",";
      readers += name(reader);
    }
    drawing_.line(fmt::format("<g><title>input {}{}</title>{}{}</g>", name(input), readers,
                              box(input), label(input)));
  }

  void draw_equation(const Equation& equation) {
    std::string ties;
    std::string marks;
    for (const Element operand : equation.operands) {
      const int y = middle(operand);
      ties += tie(left(operand) + sizes_.width, y, left(equation.target), middle(equation.target));
      marks += ring(operand);
    }
    drawing_.line(fmt::format(
        "<g class=\"xl-stop {}\" tabindex=\"0\"><title>{}</title><path class=\"xl-tie\" "
        "d=\"{}\"/><path class=\"xl-mark\" d=\"{}\"/>{}{}{}</g>",
        ink(inks_[equation.target]), equation_text(program_, equation), ties, marks,
        box(equation.target), wash(equation.target), label(equation.target)));
  }

  /// The color of the equation over its node.
  std::string wash(Element element) const {
    return fmt::format(
        "<rect class=\"xl-wash\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
        left(element), middle(element) - sizes_.height / 2, sizes_.width, sizes_.height,
        element >= program_.first_temporary() ? sizes_.height / 2 : 2);
  }

  const Program& program_;
  GraphLayout layout_;
  Sizes sizes_;
  std::vector<std::size_t> inks_;
  std::vector<bool> is_output_;
  std::vector<std::vector<Element>> readers_;
  Drawing drawing_;
};

}  // namespace

bool has_graph(const Program& program) {
  return num_operands(program) <= kMostGraphOperands &&
         program.inputs.size() + program.equations.size() <= kMostGraphNodes;
}

Picture draw_equations(const EquationFile& file) {
  if (const std::size_t operands = num_operands(file.program); operands > kMostGraphOperands) {
    fail(Status::kInvalidArgument,
         fmt::format("{} operands are more than the {} that a picture has", operands,
                     kMostGraphOperands));
  }
  if (!has_graph(file.program)) {
    fail(Status::kInvalidArgument,
         fmt::format("{} inputs and {} equations are more than the {} nodes that a picture has; "
                     "--format dot has no bound",
                     file.program.inputs.size(), file.program.equations.size(), kMostGraphNodes));
  }
  const std::string spec =
      !file.code
          ? ""
          : (file.code->spec.size() <= kLongestName ? file.code->spec : file.code->family) + ": ";
  const std::size_t equations = file.program.equations.size();
  return Graph(file.program)
      .picture(fmt::format("{}{} {} equation{}, {}", spec, equations, file.style,
                           equations == 1 ? "" : "s", work_text(file.program)));
}

}  // namespace xorloom
