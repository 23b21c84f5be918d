#include "equations/passes/gate_trees.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "equations/passes/gate_prices.hpp"

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
    fail(Status::kInvalidArgument, "a gate of {} adds nothing", counted(inputs, "input"));
  }
  return gate_trees(program, GatePrices::uniform(inputs));
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
    fail(Status::kInvalidArgument, "most = {} operands is less than the 2 a sum needs", most);
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
      // Operands stay sorted: a partial sum has a higher number than the operands added to it.
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
