#include "equations/build/direct_rows.hpp"

#include <algorithm>

namespace xorloom {

DirectRows direct_rows(const Program& program) {
  require_xors(program, "a matrix of direct rows");
  std::vector<std::size_t> column(program.end_of_elements(), kNone);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) column[program.inputs[i]] = i;
  const auto is_direct = [&](const Equation& equation) {
    return std::ranges::all_of(equation.operands,
                               [&](Element operand) { return column[operand] != kNone; });
  };
  const auto num_direct =
      static_cast<std::size_t>(std::ranges::count_if(program.equations, is_direct));
  DirectRows rows{{}, BitMatrix(num_direct, program.inputs.size()), {}};
  for (const Equation& equation : program.equations) {
    if (!is_direct(equation)) {
      rows.others.push_back(equation);
      continue;
    }
    for (const Element operand : equation.operands) {
      rows.matrix.flip(rows.targets.size(), column[operand]);
    }
    rows.targets.push_back(equation.target);
  }
  return rows;
}

}  // namespace xorloom
