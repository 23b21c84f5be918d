#include "gen/pictures/equations_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "gen/pictures/core_schedule_svg.hpp"
#include "gen/pictures/element_groups.hpp"
#include "gen/pictures/layered_graph.hpp"

namespace xorloom {
namespace {

/// Most nodes in a column that are drawn large.
constexpr std::size_t kMostLargeNodes = 36;

/// Most columns with room between them for lines to be followed.
constexpr int kMostRoomyColumns = 24;

/// Most letters of a spec in a heading; a longer one is replaced by the family.
constexpr std::size_t kLongestName = 90;

/// Pixels from the first column to the end of the last one: a page has room for 1180 in all.
constexpr int kRoomForColumns = 1180 - 2 * (kLocationNames + static_cast<int>(kPageMargin));

constexpr int kEquationsTop = static_cast<int>(kPageMargin + kPageHeadHeight) + 12;

NodeSizes sizes_of(const GraphLayout& layout, std::size_t longest_name) {
  const bool is_large = layout.most_in_a_column <= kMostLargeNodes;
  const int letter = is_large ? 8 : 6;
  const int width = std::max(is_large ? 30 : 22, static_cast<int>(longest_name) * letter + 6);
  const auto columns = static_cast<int>(layout.num_columns);
  const int least = columns > kMostRoomyColumns ? 14 : is_large ? 56 : 44;
  const int room = (kRoomForColumns - width) / std::max(1, columns - 1) - width;
  const int gap = std::clamp(room, least, is_large ? 320 : 700);
  return {width, is_large ? 20 : 12, is_large ? 26 : 14, gap, kEquationsTop};
}

std::size_t longest_name(const Program& program) {
  std::size_t longest = 1;
  const auto see = [&](Element element) {
    longest = std::max(longest, element_name(program, element).size());
  };
  for (const Element input : program.inputs) see(input);
  for (const Equation& equation : program.equations) see(equation.target);
  return longest;
}

LayeredGraph graph_of(const Program& program) {
  GraphLayout layout = graph_layout(program);
  const NodeSizes sizes = sizes_of(layout, longest_name(program));
  return {program, std::move(layout), sizes};
}

/// Draws the nodes of a program, and the text about them.
class Graph {
 public:
  explicit Graph(const Program& program)
      : program_(program),
        graph_(graph_of(program)),
        is_dense_(graph_.sizes().height < 20),
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
    if (program_.rows > 1) graph_.draw_locations(drawing_);
    for (const Element input : program_.inputs) draw_input(input);
    drawing_.line(fmt::format("<g class=\"xl-all{}\">", is_dense_ ? " xl-pale" : ""));
    for (const Equation* equation : graph_.from_the_right()) draw_equation(*equation);
    drawing_.line("</g>");
    const bool has_temporaries = std::ranges::any_of(
        program_.equations, [&](const Equation& equation) { return is_round(equation.target); });
    return graph_.picture(
        drawing_, head,
        fmt::format("A node and the lines from its operands have one color; colors repeat.{}",
                    has_temporaries ? " Rounded nodes are temporaries, square ones elements." : ""),
        fmt::format("Point at a node, tap it, or tab to it, to see its operands{}.",
                    program_.is_xor() ? "" : " and their coefficients"));
  }

 private:
  std::string name(Element element) const { return element_name(program_, element); }

  /// True for temporaries.
  bool is_round(Element element) const { return element >= program_.first_temporary(); }

  std::string box(std::string_view style, Element element) const {
    return graph_.box(style, element, is_round(element) ? graph_.sizes().height / 2 : 2);
  }

  /// Outline around the node of an operand, in its shape.
  std::string ring(Element element) const {
    constexpr int kOut = 2;
    const int x = graph_.left(element) - kOut;
    const int y = graph_.middle(element) - graph_.sizes().height / 2 - kOut;
    const int width = graph_.sizes().width + 2 * kOut;
    const int height = graph_.sizes().height + 2 * kOut;
    if (!is_round(element)) {
      return fmt::format("M{} {}h{}v{}h-{}z", x, y, width, height, width);
    }
    const int round = height / 2;
    const int straight = width - 2 * round;
    return fmt::format("M{} {}h{}a{} {} 0 0 1 0 {}h-{}a{} {} 0 0 1 0 -{}z", x + round, y, straight,
                       round, round, height, straight, round, round, height);
  }

  std::string label(Element element) const {
    const char* const size = is_dense_ ? "xl-tiny" : "xl-small";
    return graph_.label(fmt::format("{}{}", size, is_output_[element] ? " xl-target" : ""), element,
                        name(element));
  }

  void draw_input(Element input) {
    std::string readers;
    for (const Element reader : readers_[input]) {
      readers += readers.empty() ? ", read by " : ",";
      readers += name(reader);
    }
    drawing_.line(fmt::format("<g><title>input {}{}</title>{}{}</g>", name(input), readers,
                              box("box", input), label(input)));
  }

  /// Draws an equation: its node, its lines, and its color over the node.
  void draw_equation(const Equation& equation) {
    const Element target = equation.target;
    std::string ties;
    std::string marks;
    for (const Element operand : equation.operands) {
      ties += graph_.tie(graph_.left(operand) + graph_.sizes().width, operand, target);
      marks += ring(operand);
    }
    drawing_.line(stop("stop", inks_[target], equation_text(program_, equation)) +
                  path("tie", ties) + path("mark", marks) + box("box", target) +
                  box("wash", target) + label(target) + "</g>");
  }

  const Program& program_;
  LayeredGraph graph_;
  bool is_dense_;
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
  check_most("operands", num_operands(file.program), kMostGraphOperands);
  if (!has_graph(file.program)) {
    fail(Status::kInvalidArgument,
         "{} inputs and {} equations are more than the {} nodes that a picture has; text for "
         "Graphviz has no bound",
         file.program.inputs.size(), file.program.equations.size(), kMostGraphNodes);
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

Picture draw_with_plan(const EquationFile& file) {
  std::vector<Picture> pictures{draw_equations(file)};
  if (file.plan) {
    pictures.push_back(draw_gantt(file.program, *file.plan));
    if (std::optional<Picture> paths = draw_paths(file.program, *file.plan)) {
      pictures.push_back(std::move(*paths));
    }
  }
  return stacked(pictures);
}

}  // namespace xorloom
