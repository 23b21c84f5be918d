#include "gen/verilog/engine_stages.hpp"

#include <algorithm>
#include <utility>

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

std::size_t num_registers(const EngineStages& engine) {
  const std::vector<std::size_t> first = first_stages(engine);
  const std::vector<std::size_t> last = last_stages(engine);
  std::size_t registers = 0;
  for (std::size_t e = 0; e < last.size(); ++e) {
    if (last[e] != kNone) registers += last[e] - first[e];
  }
  return registers;
}

EngineStages combinational(Program program) {
  std::vector<std::size_t> stage_of(program.equations.size(), 0);
  return {std::move(program), 0, std::move(stage_of)};
}

}  // namespace xorloom
