#include "equations/passes/drop_equations.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "equations/ir/operands.hpp"

namespace xorloom {

Program drop_unread(const Program& program) {
  std::vector<bool> read(program.end_of_elements());
  for (const Element output : program.outputs) read[output] = true;
  for (std::size_t i = program.equations.size(); i-- > 0;) {
    const Equation& equation = program.equations[i];
    if (!read[equation.target]) continue;
    for (const Element operand : equation.operands) read[operand] = true;
  }
  Program result = program;
  std::erase_if(result.equations, [&](const Equation& equation) { return !read[equation.target]; });
  return result;
}

Program drop_copies(const Program& program) {
  constexpr Element kZero = static_cast<Element>(-1);
  Program result = without_equations(program);
  std::vector<Element> stands_for(program.end_of_elements());
  for (std::size_t e = 0; e < stands_for.size(); ++e) stands_for[e] = static_cast<Element>(e);
  std::vector<bool> is_output(stands_for.size(), false);
  for (const Element output : program.outputs) is_output[output] = true;
  for (const Equation& equation : program.equations) {
    std::vector<Operand> operands;
    for (const Element operand : equation.operands) {
      if (stands_for[operand] != kZero) add(operands, {stands_for[operand]});
    }
    if (operands.size() < 2) {
      stands_for[equation.target] = operands.empty() ? kZero : operands.front().element;
      if (!is_output[equation.target]) continue;
    }
    result.equations.push_back({equation.target, std::move(operands)});
  }
  return result;
}

}  // namespace xorloom
