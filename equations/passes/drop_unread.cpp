#include "equations/passes/drop_unread.hpp"

#include <cstddef>
#include <vector>

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

}  // namespace xorloom
