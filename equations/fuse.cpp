#include "equations/fuse.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

/// Adds sorted operands: those in both cancel.
void add(std::vector<Element>& sum, std::vector<Element> operands) {
  if (sum.empty()) {
    sum = std::move(operands);
    return;
  }
  std::vector<Element> both;
  std::ranges::set_symmetric_difference(sum, operands, std::back_inserter(both));
  sum = std::move(both);
}

void add(std::vector<Element>& sum, Element operand) {
  const auto place = std::ranges::lower_bound(sum, operand);
  if (place != sum.end() && *place == operand) {
    sum.erase(place);
  } else {
    sum.insert(place, operand);
  }
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
      if (stays[operand]) {
        add(operands, name[operand]);
      } else {
        add(operands, std::exchange(written_in[operand], {}));
      }
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
