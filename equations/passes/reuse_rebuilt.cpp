#include "equations/passes/reuse_rebuilt.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

Program reuse_rebuilt(const Code& code, Program program) {
  const bool are_bits = program.is_xor();
  const std::vector<Element> data = are_bits ? elements_of(code, code.data) : code.data;
  const std::vector<Element> redundant =
      are_bits ? elements_of(code, code.redundant) : code.redundant;
  const BitMatrix parity = are_bits ? bitmatrix(code) : BitMatrix();
  std::vector<bool> is_known(program.num_cells(), false);
  for (const Element input : program.inputs) {
    if (input < is_known.size()) is_known[input] = true;
  }
  std::vector<bool> is_data(program.num_cells(), false);
  for (const Element element : data) is_data[element] = true;
  for (const Element output : program.outputs) {
    if (output < is_data.size() && is_data[output]) is_known[output] = true;
  }
  for (Equation& equation : program.equations) {
    const auto found = std::ranges::find(redundant, equation.target);
    if (found == redundant.end()) continue;
    const auto row = static_cast<std::size_t>(found - redundant.begin());
    std::vector<Operand> operands =
        are_bits ? operands_of(parity, row, data) : operands_of(code.parity, row, data);
    if (operands.size() >= equation.operands.size()) continue;
    if (!std::ranges::all_of(operands, [&](Element element) { return is_known[element]; }))
      continue;
    equation.operands = std::move(operands);
  }
  sort_equations(program);
  return program;
}

}  // namespace xorloom
