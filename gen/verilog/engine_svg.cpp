#include "gen/verilog/engine_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/cost.hpp"
#include "gen/pictures/layered_graph.hpp"

namespace xorloom {
namespace {

constexpr int kLetter = 7;  ///< width of a letter in a gate, in pixels
constexpr int kGateHeight = 12;
constexpr int kRegister = 6;  ///< side of a register
constexpr int kPitch = 15;    ///< distance between nodes of a column
constexpr int kColumnGap = 56;
constexpr int kTop = static_cast<int>(kPageMargin + kPageHeadHeight) + 6;
constexpr int kRankNames = 22;  ///< height of the line of rank names, if there are ranks

/// An engine as a program whose registers are equations of one operand, and its columns in a
/// picture.
struct Circuit {
  Program program;                   ///< if an output is held, its gate is a temporary
  std::vector<std::string> names;    ///< by element
  std::vector<std::size_t> rank_of;  ///< by element; 0: no register
  std::vector<std::size_t> least;    ///< by element: its first possible column
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
  std::map<std::pair<Element, std::size_t>, Element> ids;  // by value and stage
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

LayeredGraph graph_of(const Circuit& circuit) {
  std::size_t longest = 1;
  for (const std::string& name : circuit.names) longest = std::max(longest, name.size());
  const int top = kTop + (circuit.rank_columns.empty() ? 0 : kRankNames);
  return {circuit.program,
          graph_layout(circuit.program, circuit.least),
          {static_cast<int>(longest) * kLetter + 6, kGateHeight, kPitch, kColumnGap, top}};
}

class CircuitDrawing {
 public:
  explicit CircuitDrawing(Circuit circuit)
      : circuit_(std::move(circuit)), program_(circuit_.program), graph_(graph_of(circuit_)) {}

  Picture picture(const std::string& head) {
    draw_ranks();
    graph_.draw_locations(drawing_);
    for (const Element input : program_.inputs) {
      drawing_.line(
          fmt::format("<g><title>input {}</title>{}</g>", circuit_.names[input], box(input)));
    }
    drawing_.line("<g class=\"xl-all\">");
    for (const Equation* equation : graph_.from_the_right()) draw(*equation);
    drawing_.line("</g>");
    return graph_.picture(
        drawing_, head,
        "Boxes add up the values whose lines lead to them; small squares are registers.",
        "Point at a box, tap it, or tab to it, to see what it adds up.");
  }

 private:
  bool is_register(Element element) const { return circuit_.rank_of[element] != 0; }

  void draw_ranks() {
    for (std::size_t i = 0; i < circuit_.rank_columns.size(); ++i) {
      const int x = graph_.left_of(circuit_.rank_columns[i]) + kRegister / 2;
      const int top = graph_.sizes().top;
      drawing_.line(path("rule", fmt::format("M{} {}V{}", x, top - 6, graph_.bottom())));
      drawing_.text(x, top - 12, "name", fmt::format("rank {}", i + 1));
    }
  }

  std::string box(Element element) const {
    if (is_register(element)) {
      return rect("fill", graph_.left(element), graph_.middle(element) - kRegister / 2, kRegister,
                  kRegister);
    }
    return graph_.box("box", element, 2) +
           graph_.label("xl-tiny", element, circuit_.names[element]);
  }

  void draw(const Equation& equation) {
    std::string ties;
    std::string sum;
    for (const Element operand : equation.operands) {
      const int width = is_register(operand) ? kRegister : graph_.sizes().width;
      ties += graph_.tie(graph_.left(operand) + width, operand, equation.target);
      sum += fmt::format("{}{}", sum.empty() ? "" : " + ", circuit_.names[operand]);
    }
    const std::string& name = circuit_.names[equation.target];
    const std::string title =
        is_register(equation.target)
            ? fmt::format("{} behind rank {}", name, circuit_.rank_of[equation.target])
            : fmt::format("{} = {}", name, sum.empty() ? "0" : sum);
    drawing_.line(stop("stop", equation.target, title) + path("tie", ties) + box(equation.target) +
                  "</g>");
  }

  Circuit circuit_;
  const Program& program_;
  LayeredGraph graph_;
  Drawing drawing_;
};

}  // namespace

std::size_t circuit_ties(const EngineStages& engine) {
  return engine_size(engine).registers + num_operands(engine.program);
}

Picture draw_engine(const std::string& name, const EngineStages& engine) {
  if (const std::size_t ties = circuit_ties(engine); ties > kMostCircuitTies) {
    fail(Status::kInvalidArgument, "{} lines are more than the {} that a circuit has", ties,
         kMostCircuitTies);
  }
  const EngineSize size = engine_size(engine);
  std::string head = fmt::format("{}: {} of up to {}, {}", name, counted(size.gates, "gate"),
                                 counted(size.most_inputs, "input"), counted(size.depth, "level"));
  if (engine.ranks != 0) {
    head += fmt::format(", {} in {}", counted(size.registers, "register"),
                        counted(engine.ranks, "rank"));
  }
  return CircuitDrawing(circuit_of(engine)).picture(head);
}

}  // namespace xorloom
