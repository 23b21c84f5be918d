#include "equations/fuse.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

/// Adds sorted operands: those in both cancel.
std::vector<Element> sum_of(const std::vector<Element>& a, const std::vector<Element>& b) {
  std::vector<Element> sum;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(sum));
  return sum;
}

}  // namespace

Program fuse_single_use(const Program& program) {
  std::vector<std::size_t> uses(program.end_of_elements(), 0);
  for (const Equation& equation : program.equations) {
    for (const Element operand : equation.operands) ++uses[operand];
  }
  std::vector<bool> stays(uses.size(), true);
  for (std::size_t e = program.first_temporary(); e < uses.size(); ++e) stays[e] = uses[e] > 1;

  Program result{program.locations, program.rows, program.inputs,
                 program.outputs,   {},           program.virtuals};
  std::vector<std::vector<Element>> written_in(uses.size());
  std::vector<Element> name(uses.size());
  for (std::size_t e = 0; e < name.size(); ++e) name[e] = static_cast<Element>(e);
  Element next = program.first_temporary();
  for (const Equation& equation : program.equations) {
    std::vector<Element> operands;
    for (const Element operand : equation.operands) {
      operands = stays[operand] ? sum_of(operands, {name[operand]})
                                : sum_of(operands, std::exchange(written_in[operand], {}));
    }
    if (!stays[equation.target]) {
      written_in[equation.target] = std::move(operands);
      continue;
    }
    if (equation.target >= program.first_temporary()) name[equation.target] = next++;
    result.equations.push_back({name[equation.target], std::move(operands)});
  }
  return result;
}

}  // namespace xorloom
