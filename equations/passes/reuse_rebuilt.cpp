#include "equations/passes/reuse_rebuilt.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codes/field/bitmatrix.hpp"

namespace xorloom {

Program reuse_rebuilt(const Code& code, Program program) {
  require_xors(program, "reusing what is rebuilt");
  std::vector<bool> is_known(code.num_elements(), false);
  for (const Element input : program.inputs) {
    if (input < is_known.size()) is_known[input] = true;
  }
  const std::vector<Element> data = elements_of(code, code.data);
  std::vector<bool> is_data(code.num_elements(), false);
  for (const Element element : data) is_data[element] = true;
  for (const Element output : program.outputs) {
    if (output < is_data.size() && is_data[output]) is_known[output] = true;
  }
  const std::vector<Element> redundant = elements_of(code, code.redundant);
  const BitMatrix parity = bitmatrix(code);
  for (Equation& equation : program.equations) {
    const auto found = std::ranges::find(redundant, equation.target);
    if (found == redundant.end()) continue;
    std::vector<Operand> operands;
    const auto row = static_cast<std::size_t>(found - redundant.begin());
    for (const std::size_t column : parity.ones(row)) operands.push_back(data[column]);
    if (operands.size() >= equation.operands.size()) continue;
    if (!std::ranges::all_of(operands, [&](Element element) { return is_known[element]; }))
      continue;
    std::ranges::sort(operands);
    equation.operands = std::move(operands);
  }
  sort_equations(program);
  return program;
}

}  // namespace xorloom
