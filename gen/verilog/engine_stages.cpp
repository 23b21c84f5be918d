#include "gen/verilog/engine_stages.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/passes/drop_equations.hpp"
#include "equations/passes/gate_trees.hpp"

namespace xorloom {
namespace {

/// A network whose maximum flow is found along shortest paths.
///
/// Source: E. Dinic, 1970.
class FlowNetwork {
 public:
  using Node = std::uint32_t;
  static constexpr std::uint32_t kEndless = 1U << 30;

  Node end_of_nodes() const { return static_cast<Node>(first_.size()); }

  Node add_node() {
    first_.push_back(kNoArc);
    return end_of_nodes() - 1;
  }

  void add_arc(Node from, Node to, std::uint32_t room) {
    push(from, to, room);
    push(to, from, 0);
  }

  /// Finds a maximum flow from `source` to `sink`.
  void fill(Node source, Node sink) {
    while (label(source, sink)) {
      current_ = first_;
      while (augment(source, sink)) {
      }
    }
  }

  /// True if the residual network reaches `node` from the source: it is on the source's side of a
  /// minimum cut. Precondition: fill() was called.
  bool is_reached(Node node) const { return level_[node] != kUnseen; }

 private:
  static constexpr std::uint32_t kNoArc = static_cast<std::uint32_t>(-1);
  static constexpr std::uint32_t kUnseen = static_cast<std::uint32_t>(-1);

  void push(Node from, Node to, std::uint32_t room) {
    arcs_.push_back({to, first_[from], room});
    first_[from] = static_cast<std::uint32_t>(arcs_.size() - 1);
  }

  /// Numbers the nodes by their distance from the source. True if the sink is reached.
  bool label(Node source, Node sink) {
    level_.assign(first_.size(), kUnseen);
    level_[source] = 0;
    std::vector<Node> queue{source};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::uint32_t a = first_[queue[i]]; a != kNoArc; a = arcs_[a].next) {
        if (arcs_[a].room == 0 || level_[arcs_[a].to] != kUnseen) continue;
        level_[arcs_[a].to] = level_[queue[i]] + 1;
        queue.push_back(arcs_[a].to);
      }
    }
    return level_[sink] != kUnseen;
  }

  /// Sends flow along one shortest path; false if there is none.
  bool augment(Node source, Node sink) {
    std::vector<std::uint32_t> way;
    Node node = source;
    while (node != sink) {
      std::uint32_t& arc = current_[node];
      while (arc != kNoArc && (arcs_[arc].room == 0 || level_[arcs_[arc].to] != level_[node] + 1)) {
        arc = arcs_[arc].next;
      }
      if (arc != kNoArc) {
        way.push_back(arc);
        node = arcs_[arc].to;
      } else if (way.empty()) {
        return false;
      } else {  // a dead end
        level_[node] = kUnseen;
        node = arcs_[way.back() ^ 1].to;
        way.pop_back();
      }
    }
    std::uint32_t room = kEndless;
    for (const std::uint32_t arc : way) room = std::min(room, arcs_[arc].room);
    for (const std::uint32_t arc : way) {
      arcs_[arc].room -= room;
      arcs_[arc ^ 1].room += room;
    }
    return true;
  }

  struct Arc {
    Node to;
    std::uint32_t next;
    std::uint32_t room;
  };
  std::vector<Arc> arcs_;  ///< each beside its reverse arc
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> current_;
  std::vector<std::uint32_t> level_;
};

/// The minimum cut of cut_into_stages. Slots are counted from 0. A copy or zero, which nothing
/// reads, is in the last slot.
class StageCut {
 public:
  StageCut(Program program, std::size_t ranks)
      : program_(std::move(program)),
        ranks_(ranks),
        depth_(std::max<std::size_t>(1, (gate_depth(program_) + ranks) / (ranks + 1))),
        slots_((ranks + 1) * depth_),
        equation_of_(equation_of_element(program_)),
        readers_(program_.end_of_elements()) {
    for (std::size_t i = 0; i < program_.equations.size(); ++i) {
      for (const Element operand : program_.equations[i].operands) readers_[operand].push_back(i);
    }
    is_output_.assign(readers_.size(), false);
    for (const Element output : program_.outputs) is_output_[output] = true;
  }

  EngineStages run() {
    bound_slots();
    make_bits();
    add_order();
    for (Element e = 0; e < readers_.size(); ++e) {
      for (std::size_t rank = 1; rank <= ranks_; ++rank) add_register(e, rank);
    }
    network_.fill(kLate, kEarly);
    EngineStages engine{program_, ranks_, {}};
    for (std::size_t i = 0; i < program_.equations.size(); ++i) {
      std::size_t slot = earliest_[i];
      while (slot < latest_[i] && network_.is_reached(bit(i, slot + 1))) ++slot;
      engine.stage_of.push_back(slot / depth_);
    }
    return engine;
  }

 private:
  using Node = FlowNetwork::Node;
  static constexpr Node kLate = 0;   ///< the source: a constant bit 1
  static constexpr Node kEarly = 1;  ///< the sink: a constant bit 0

  std::size_t time(std::size_t equation) const {
    return program_.equations[equation].operands.size() > 1 ? 1 : 0;
  }

  void bound_slots() {
    const std::size_t count = program_.equations.size();
    earliest_.assign(count, 0);
    latest_.assign(count, slots_ - 1);
    for (std::size_t i = 0; i < count; ++i) {
      if (time(i) == 0) earliest_[i] = slots_ - 1;
      for (const Element operand : program_.equations[i].operands) {
        const std::size_t before = equation_of_[operand];
        if (before == kNone) continue;
        earliest_[i] = std::max(earliest_[i], earliest_[before] + time(i));
      }
    }
    for (std::size_t i = count; i-- > 0;) {
      for (const std::size_t reader : readers_[program_.equations[i].target]) {
        latest_[i] = std::min(latest_[i], latest_[reader] - time(reader));
      }
    }
  }

  void make_bits() {
    network_.add_node();
    network_.add_node();
    std::size_t bits = 0;
    for (std::size_t i = 0; i < earliest_.size(); ++i) bits += latest_[i] - earliest_[i];
    if (bits > kMostCutBits) {
      fail(Status::kUnsupported, "{} ranks take {} bits to cut, more than {}", ranks_, bits,
           kMostCutBits);
    }
    for (std::size_t i = 0; i < earliest_.size(); ++i) {
      first_bit_.push_back(network_.end_of_nodes());
      for (std::size_t slot = earliest_[i]; slot < latest_[i]; ++slot) {
        const Node node = network_.add_node();
        // An equation in this slot or later is also in the slot before or later.
        if (slot != earliest_[i]) network_.add_arc(node, node - 1, FlowNetwork::kEndless);
      }
    }
  }

  /// Bit: the equation is computed in `slot` or later.
  Node bit(std::size_t equation, std::size_t slot) const {
    if (slot <= earliest_[equation]) return kLate;
    if (slot > latest_[equation]) return kEarly;
    return first_bit_[equation] + static_cast<Node>(slot - earliest_[equation] - 1);
  }

  /// Bit `one` implies bit `other`.
  void imply(Node one, Node other) {
    if (one != kEarly && other != kLate) network_.add_arc(one, other, FlowNetwork::kEndless);
  }

  /// Makes a sum come after its operands.
  void add_order() {
    for (std::size_t i = 0; i < program_.equations.size(); ++i) {
      for (const Element operand : program_.equations[i].operands) {
        const std::size_t before = equation_of_[operand];
        if (before == kNone) continue;
        for (std::size_t slot = earliest_[before]; slot <= latest_[before]; ++slot) {
          imply(bit(before, slot), bit(i, slot + time(i)));
        }
      }
    }
  }

  /// Makes a value cost a register if it is computed before `rank` and read behind it.
  void add_register(Element element, std::size_t rank) {
    if (readers_[element].empty() && !is_output_[element]) return;
    const std::size_t slot = rank * depth_;
    const std::size_t equation = equation_of_[element];
    const Node made = equation == kNone ? kEarly : bit(equation, slot);
    if (made == kLate) return;
    const Node is_read = is_output_[element] ? kLate : network_.add_node();
    network_.add_arc(is_read, made, 1);
    for (const std::size_t reader : readers_[element]) imply(bit(reader, slot), is_read);
  }

  Program program_;
  std::size_t ranks_;
  std::size_t depth_;  ///< levels of a stage
  std::size_t slots_;
  std::vector<std::size_t> equation_of_;
  std::vector<std::vector<std::size_t>> readers_;
  std::vector<bool> is_output_;
  std::vector<std::size_t> earliest_;
  std::vector<std::size_t> latest_;
  std::vector<Node> first_bit_;  ///< by equation: its bit for the slot behind its earliest
  FlowNetwork network_;
};

}  // namespace

ValueStages value_stages(const EngineStages& engine) {
  const std::size_t count = engine.program.end_of_elements();
  ValueStages stages{std::vector<std::size_t>(count, 0), std::vector<std::size_t>(count, kNone)};
  for (std::size_t i = 0; i < engine.stage_of.size(); ++i) {
    const Equation& equation = engine.program.equations[i];
    stages.made[equation.target] = engine.stage_of[i];
    for (const Element operand : equation.operands) {
      std::size_t& last = stages.last[operand];
      last = last == kNone ? engine.stage_of[i] : std::max(last, engine.stage_of[i]);
    }
  }
  for (const Element output : engine.program.outputs) stages.last[output] = engine.ranks;
  return stages;
}

EngineSize engine_size(const EngineStages& engine) {
  EngineSize size;
  size.depth = gate_depth(engine.program);
  // Gates before it within its stage.
  std::vector<std::size_t> level(engine.program.end_of_elements(), 0);
  const ValueStages values = value_stages(engine);
  for (std::size_t i = 0; i < engine.stage_of.size(); ++i) {
    const Equation& equation = engine.program.equations[i];
    std::size_t& own = level[equation.target];
    for (const Element operand : equation.operands) {
      if (values.made[operand] == engine.stage_of[i]) own = std::max(own, level[operand]);
    }
    if (equation.operands.size() < 2) continue;
    size.stage_depth = std::max(size.stage_depth, ++own);
    size.most_inputs = std::max(size.most_inputs, equation.operands.size());
    ++size.gates;
  }
  for (std::size_t e = 0; e < values.last.size(); ++e) {
    if (values.last[e] != kNone) size.registers += values.last[e] - values.made[e];
  }
  return size;
}

EngineStages cut_into_stages(const Program& program, std::size_t ranks) {
  if (ranks == 0) return {program, 0, std::vector<std::size_t>(program.equations.size(), 0)};
  return StageCut(drop_copies(program), ranks).run();
}

EngineStages stages_of_plan(const Program& program, const CoreSchedule& plan) {
  EngineStages engine{drop_copies(program_of_steps(program, plan)),
                      std::max<std::size_t>(1, makespan(plan)) - 1,
                      {}};
  // Copies are in the last stage, where outputs are taken.
  std::vector<std::size_t> step_of(engine.program.end_of_elements(), engine.ranks);
  for (const CoreStep& step : plan.steps) step_of[step.target] = step.step;
  for (const Equation& equation : engine.program.equations) {
    engine.stage_of.push_back(step_of[equation.target]);
  }
  return engine;
}

}  // namespace xorloom
