#include "gen/verilog/engine_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "gen/pictures/element_groups.hpp"
#include "gen/pictures/graph_drawing.hpp"
#include "gen/pictures/graph_layout.hpp"
#include "gen/source/layout_comment.hpp"

namespace xorloom {
namespace {

constexpr int kLetter = 7;  ///< pixels of one in a gate
constexpr int kGateHeight = 12;
constexpr int kRegister = 6;  ///< its side
constexpr int kPitch = 15;    ///< from one node of a column to the next
constexpr int kColumnGap = 56;
constexpr int kTop = static_cast<int>(kPageMargin + kPageHeadHeight) + 6;
constexpr int kRankNames = 22;  ///< the height of their line, where there are ranks

/// An engine whose registers are equations of one operand, in the columns that a picture has.
struct Circuit {
  Program program;                   ///< where an output is held, its gate is a temporary
  std::vector<std::string> names;    ///< by element
  std::vector<std::size_t> rank_of;  ///< by element, 0 for what is no register
  std::vector<std::size_t> least;    ///< by element: the first column that it may stand in
  std::vector<std::size_t> rank_columns;
};

Circuit circuit_of(const EngineStages& engine) {
  const ValueStages values = value_stages(engine);
  const std::size_t stage_columns = engine_size(engine).stage_depth + 1;
  Circuit circuit{engine.program, {}, {}, {}, {}};
  circuit.program.equations.clear();
  Element next = engine.program.end_of_elements();
  // An output that is read, or comes out of a register, has a pin of its own at the right.
  std::vector<bool> has_pin(next, false);
  for (const Element output : engine.program.outputs) {
    has_pin[output] = values.made[output] != engine.ranks;
  }
  for (const Equation& equation : engine.program.equations) {
    for (const Element operand : equation.operands) has_pin[operand] = true;
  }
  for (const Element input : engine.program.inputs) has_pin[input] = false;
  const auto add = [&](Element id, Element value, std::size_t rank, std::size_t column) {
    const std::size_t size = std::max<std::size_t>(circuit.names.size(), id + std::size_t{1});
    circuit.names.resize(size);
    circuit.rank_of.resize(size, 0);
    circuit.least.resize(size, 0);
    circuit.names[id] = element_name(engine.program, value);
    circuit.rank_of[id] = rank;
    circuit.least[id] = column;
  };
  std::map<std::pair<Element, std::size_t>, Element> ids;  // of a value in a stage
  const auto id_of = [&](Element value, std::size_t stage) {
    const auto [found, is_new] = ids.try_emplace({value, stage}, value);
    if (!is_new) return found->second;
    if (stage != values.made[value] || has_pin[value]) found->second = next++;
    return found->second;
  };
  for (const Element input : engine.program.inputs) add(id_of(input, 0), input, 0, 0);
  for (std::size_t stage = 0; stage <= engine.ranks; ++stage) {
    const std::size_t column = stage * stage_columns;
    if (stage != 0) circuit.rank_columns.push_back(column);
    for (Element e = 0; e < values.last.size(); ++e) {
      if (!values.is_held(e, stage)) continue;
      const Element from = id_of(e, stage - 1);
      const Element id = id_of(e, stage);
      add(id, e, stage, column);
      circuit.program.equations.push_back({id, {from}});
    }
    for (std::size_t i = 0; i < engine.stage_of.size(); ++i) {
      if (engine.stage_of[i] != stage) continue;
      const Equation& equation = engine.program.equations[i];
      Equation gate{id_of(equation.target, stage), {}};
      for (const Element operand : equation.operands) {
        gate.operands.emplace_back(id_of(operand, stage));
      }
      add(gate.target, equation.target, 0, column + 1);
      circuit.program.equations.push_back(std::move(gate));
    }
  }
  for (const Element output : engine.program.outputs) {
    if (!has_pin[output]) continue;
    const Element from = id_of(output, engine.ranks);
    add(output, output, 0, 0);
    circuit.program.equations.push_back({output, {from}});
  }
  return circuit;
}

class CircuitDrawing {
 public:
  explicit CircuitDrawing(Circuit circuit)
      : circuit_(std::move(circuit)),
        program_(circuit_.program),
        layout_(graph_layout(program_, circuit_.least)) {
    std::size_t longest = 1;
    for (const std::string& name : circuit_.names) longest = std::max(longest, name.size());
    width_ = static_cast<int>(longest) * kLetter + 6;
    top_ = kTop + (circuit_.rank_columns.empty() ? 0 : kRankNames);
  }

  Picture picture(const std::string& head) {
    draw_ranks();
    draw_locations(program_.inputs, 0);
    draw_locations(program_.outputs, layout_.num_columns - 1);
    for (const Element input : program_.inputs) {
      drawing_.line(
          fmt::format("<g><title>input {}</title>{}</g>", circuit_.names[input], box(input)));
    }
    drawing_.line("<g class=\"xl-all\">");
    // From the right: so no line to a gate lies over one in a column before it.
    std::vector<Equation> drawn = program_.equations;
    std::ranges::stable_sort(drawn, std::greater{}, [&](const Equation& equation) {
      return layout_.column[equation.target];
    });
    for (const Equation& equation : drawn) draw(equation);
    drawing_.line("</g>");
    const int right = left_of(layout_.num_columns - 1) + width_ + kLocationNames;
    const int bottom = top_ + static_cast<int>(layout_.height * kPitch);
    const std::string note =
        "Boxes add up the values whose lines lead to them; small squares are registers.";
    return graph_picture(right, bottom, head, note,
                         "Point at a box, tap it, or tab to it, to see what it adds up.",
                         !program_.equations.empty(), drawing_);
  }

 private:
  int left_of(std::size_t column) const {
    return static_cast<int>(kPageMargin) + kLocationNames +
           static_cast<int>(column) * (width_ + kColumnGap);
  }
  int left(Element element) const { return left_of(layout_.column[element]); }
  int middle(Element element) const {
    return top_ + static_cast<int>(std::lround(layout_.place[element] * kPitch)) + kPitch / 2;
  }
  bool is_register(Element element) const { return circuit_.rank_of[element] != 0; }
  int right(Element element) const {
    return left(element) + (is_register(element) ? kRegister : width_);
  }

  void draw_ranks() {
    const int bottom = top_ + static_cast<int>(layout_.height * kPitch);
    for (std::size_t i = 0; i < circuit_.rank_columns.size(); ++i) {
      const int x = left_of(circuit_.rank_columns[i]) + kRegister / 2;
      drawing_.line(fmt::format("<path class=\"xl-rule\" d=\"M{} {}V{}\"/>", x, top_ - 6, bottom));
      drawing_.text(x, top_ - 12.0, "name", fmt::format("rank {}", i + 1));
    }
  }

  void draw_locations(std::span<const Element> elements, std::size_t column) {
    const bool is_left = column == 0;
    for (const ElementGroup& group : groups_of(program_, elements)) {
      const int from = middle(group.elements.front()) - kGateHeight / 2;
      const int to = middle(group.elements.back()) + kGateHeight / 2;
      const int x = is_left ? left_of(0) - 8 : left_of(column) + width_ + 8;
      draw_location(group, x, from, to, is_left, drawing_);
    }
  }

  std::string box(Element element) const {
    const int y = middle(element);
    if (is_register(element)) {
      return fmt::format("<rect class=\"xl-fill\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                         left(element), y - kRegister / 2, kRegister, kRegister);
    }
    return fmt::format(
        "<rect class=\"xl-box\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\"/>"
        "<text class=\"xl-tiny\" x=\"{}\" y=\"{}\">{}</text>",
        left(element), y - kGateHeight / 2, width_, kGateHeight, left(element) + width_ / 2, y + 3,
        circuit_.names[element]);
  }

  void draw(const Equation& equation) {
    std::string ties;
    std::string sum;
    for (const Element operand : equation.operands) {
      ties += tie(right(operand), middle(operand), left(equation.target), middle(equation.target));
      sum += fmt::format("{}{}", sum.empty() ? "" : " + ", circuit_.names[operand]);
    }
    const std::string& name = circuit_.names[equation.target];
    const std::string title =
        is_register(equation.target)
            ? fmt::format("{} behind rank {}", name, circuit_.rank_of[equation.target])
            : fmt::format("{} = {}", name, sum.empty() ? "0" : sum);
    drawing_.line(
        fmt::format("<g class=\"xl-stop {}\" tabindex=\"0\"><title>{}</title><path "
                    "class=\"xl-tie\" d=\"{}\"/>{}</g>",
                    ink(equation.target), title, ties, box(equation.target)));
  }

  Circuit circuit_;
  const Program& program_;
  GraphLayout layout_;
  int width_ = 0;  ///< of a gate
  int top_ = 0;    ///< of the columns
  Drawing drawing_;
};

}  // namespace

std::size_t circuit_ties(const EngineStages& engine) {
  return engine_size(engine).registers + num_operands(engine.program);
}

Picture draw_engine(const std::string& name, const EngineStages& engine) {
  if (const std::size_t ties = circuit_ties(engine); ties > kMostCircuitTies) {
    fail(Status::kInvalidArgument,
         fmt::format("{} lines are more than the {} that a circuit has", ties, kMostCircuitTies));
  }
  const EngineSize size = engine_size(engine);
  std::string head = fmt::format("{}: {} gates of up to {} inputs, {}", name, size.gates,
                                 size.most_inputs, plural(size.depth, "level"));
  if (engine.ranks != 0) {
    head += fmt::format(", {} registers in {}", size.registers, plural(engine.ranks, "rank"));
  }
  return CircuitDrawing(circuit_of(engine)).picture(head);
}

}  // namespace xorloom
