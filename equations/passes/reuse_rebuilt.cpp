#include "equations/passes/reuse_rebuilt.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codes/field/bitmatrix.hpp"

namespace xorloom {
namespace {

/// The equations of the redundancy over the data, each in the order of `redundant`.
struct Encoding {
  std::vector<Element> data;
  std::vector<Element> redundant;
  std::vector<std::vector<Operand>> sums;
};

Encoding encoding_over_bits(const Code& code) {
  Encoding encoding{elements_of(code, code.data), elements_of(code, code.redundant), {}};
  const BitMatrix parity = bitmatrix(code);
  for (std::size_t row = 0; row < parity.rows(); ++row) {
    std::vector<Operand>& sum = encoding.sums.emplace_back();
    for (const std::size_t column : parity.ones(row)) sum.emplace_back(encoding.data[column]);
  }
  return encoding;
}

Encoding encoding_over_symbols(const Code& code) {
  Encoding encoding{code.data, code.redundant, {}};
  for (std::size_t row = 0; row < code.redundant.size(); ++row) {
    std::vector<Operand>& sum = encoding.sums.emplace_back();
    for (std::size_t column = 0; column < code.data.size(); ++column) {
      const Field::Symbol coefficient = code.parity(row, column);
      if (coefficient != 0) sum.emplace_back(code.data[column], coefficient);
    }
  }
  return encoding;
}

}  // namespace

Program reuse_rebuilt(const Code& code, Program program) {
  std::vector<bool> is_known(program.num_cells(), false);
  for (const Element input : program.inputs) {
    if (input < is_known.size()) is_known[input] = true;
  }
  const Encoding encoding =
      program.is_xor() ? encoding_over_bits(code) : encoding_over_symbols(code);
  std::vector<bool> is_data(program.num_cells(), false);
  for (const Element element : encoding.data) is_data[element] = true;
  for (const Element output : program.outputs) {
    if (output < is_data.size() && is_data[output]) is_known[output] = true;
  }
  for (Equation& equation : program.equations) {
    const auto found = std::ranges::find(encoding.redundant, equation.target);
    if (found == encoding.redundant.end()) continue;
    const auto row = static_cast<std::size_t>(found - encoding.redundant.begin());
    std::vector<Operand> operands = encoding.sums[row];
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
