#include "gen/verilog/engine_stages.hpp"

#include <algorithm>
#include <utility>

#include "equations/passes/drop_equations.hpp"
#include "equations/passes/gate_trees.hpp"

namespace xorloom {

std::vector<std::size_t> first_stages(const EngineStages& engine) {
  std::vector<std::size_t> first(engine.program.end_of_elements(), 0);
  for (std::size_t i = 0; i < engine.stage_of.size(); ++i) {
    first[engine.program.equations[i].target] = engine.stage_of[i];
  }
  return first;
}

std::vector<std::size_t> last_stages(const EngineStages& engine) {
  std::vector<std::size_t> last(engine.program.end_of_elements(), kNone);
  const auto read_in = [&](Element element, std::size_t stage) {
    last[element] = last[element] == kNone ? stage : std::max(last[element], stage);
  };
  for (std::size_t i = 0; i < engine.stage_of.size(); ++i) {
    for (const Element operand : engine.program.equations[i].operands) {
      read_in(operand, engine.stage_of[i]);
    }
  }
  for (const Element output : engine.program.outputs) read_in(output, engine.ranks);
  return last;
}

EngineSize engine_size(const EngineStages& engine) {
  EngineSize size;
  size.depth = gate_depth(engine.program);
  std::vector<std::size_t> level(engine.program.end_of_elements(), 0);  // within the own stage
  const std::vector<std::size_t> first = first_stages(engine);
  const std::vector<std::size_t> last = last_stages(engine);
  for (std::size_t i = 0; i < engine.stage_of.size(); ++i) {
    const Equation& equation = engine.program.equations[i];
    std::size_t& own = level[equation.target];
    for (const Element operand : equation.operands) {
      if (first[operand] == engine.stage_of[i]) own = std::max(own, level[operand]);
    }
    if (equation.operands.size() < 2) continue;
    size.stage_depth = std::max(size.stage_depth, ++own);
    size.most_inputs = std::max(size.most_inputs, equation.operands.size());
    ++size.gates;
  }
  for (std::size_t e = 0; e < last.size(); ++e) {
    if (last[e] != kNone) size.registers += last[e] - first[e];
  }
  return size;
}

EngineStages combinational(Program program) {
  std::vector<std::size_t> stage_of(program.equations.size(), 0);
  return {std::move(program), 0, std::move(stage_of)};
}

EngineStages stages_of_plan(const Program& program, const CoreSchedule& plan) {
  EngineStages engine{drop_copies(program_of_steps(program, plan)),
                      std::max<std::size_t>(1, makespan(plan)) - 1,
                      {}};
  // Copies stand where they are put out.
  std::vector<std::size_t> step_of(engine.program.end_of_elements(), engine.ranks);
  for (const CoreStep& step : plan.steps) step_of[step.target] = step.step;
  for (const Equation& equation : engine.program.equations) {
    engine.stage_of.push_back(step_of[equation.target]);
  }
  return engine;
}

}  // namespace xorloom
