#include "equations/passes/gate_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {

std::size_t num_gates(const Program& program, std::size_t inputs) {
  std::size_t gates = 0;
  for (const Equation& equation : program.equations) {
    gates += gates_of_sum(equation.operands.size(), inputs);
  }
  return gates;
}

Program gate_trees(const Program& program, std::size_t inputs) {
  if (inputs < 2) {
    fail(Status::kInvalidArgument, fmt::format("a gate of {} inputs adds nothing", inputs));
  }
  Program result = without_equations(program);
  Element next = program.end_of_elements();
  std::vector<std::size_t> depth(next, 0);
  using Ready = std::pair<std::size_t, Operand>;  // when an operand is there
  for (const Equation& equation : program.equations) {
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    for (const Operand& operand : equation.operands) ready.emplace(depth[operand], operand);
    // Only the first gate may have free inputs: there it costs the least depth.
    std::size_t size = ready.size() < 2 ? ready.size() : (ready.size() - 2) % (inputs - 1) + 2;
    for (;;) {
      std::vector<Operand> operands;
      std::size_t latest = 0;
      for (; operands.size() < size; ready.pop()) {
        latest = std::max(latest, ready.top().first);
        operands.push_back(ready.top().second);
      }
      if (operands.size() > 1) ++latest;
      std::ranges::sort(operands);
      if (ready.empty()) {
        depth[equation.target] = latest;
        result.equations.push_back({equation.target, std::move(operands)});
        break;
      }
      result.equations.push_back({next, std::move(operands)});
      ready.emplace(latest, next++);
      size = inputs;
    }
  }
  return result;
}

std::size_t gate_depth(const Program& program) {
  std::vector<std::size_t> depth(program.end_of_elements(), 0);
  std::size_t deepest = 0;
  for (const Equation& equation : program.equations) {
    std::size_t before = 0;
    for (const Element operand : equation.operands) before = std::max(before, depth[operand]);
    depth[equation.target] = before + (equation.operands.size() > 1 ? 1 : 0);
    deepest = std::max(deepest, depth[equation.target]);
  }
  return deepest;
}

Program limit_operands(const Program& program, std::size_t most) {
  if (most < 2) {
    fail(Status::kInvalidArgument,
         fmt::format("most = {} operands is less than the 2 a sum needs", most));
  }
  Program result = without_equations(program);
  Element next = program.end_of_elements();
  for (const Equation& equation : program.equations) {
    auto begin = equation.operands.begin();
    std::vector<Operand> operands;
    for (;;) {
      const auto left = equation.operands.end() - begin;
      const auto room = static_cast<std::ptrdiff_t>(most - operands.size());
      const auto end = begin + std::min(left, room);
      // A partial sum has a higher number than whatever it is summed with.
      operands.insert(operands.begin(), begin, end);
      begin = end;
      if (begin == equation.operands.end()) break;
      result.equations.push_back({next, std::move(operands)});
      operands = {next++};
    }
    result.equations.push_back({equation.target, std::move(operands)});
  }
  return result;
}

}  // namespace xorloom
