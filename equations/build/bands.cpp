#include "equations/build/bands.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {

std::vector<Program> bands_of(const Program& direct, std::size_t number) {
  const std::vector<std::size_t> equation_of = equation_of_element(direct);
  std::vector<Program> bands(number, without_equations(direct));
  for (std::size_t b = 0; b < number; ++b) {
    Program& band = bands[b];
    const auto output = [&](std::size_t i) {
      return direct.outputs.begin() +
             static_cast<std::ptrdiff_t>(i * direct.outputs.size() / number);
    };
    band.outputs.assign(output(b), output(b + 1));
    for (const Element element : band.outputs) {
      const Equation& equation = direct.equations[equation_of[element]];
      for (const Operand& operand : equation.operands) {
        if (equation_of[operand] == kNone) continue;
        fail(Status::kInternal, "bands are made of equations that read inputs alone");
      }
      band.equations.push_back(equation);
    }
  }
  return bands;
}

Program stacked(const Program& direct, std::vector<Program> bands) {
  Program result = without_equations(direct);
  const Element first = direct.first_temporary();
  Element shift = 0;
  for (Program& band : bands) {
    const Element end = band.end_of_elements();
    const auto moved = [&](Element element) { return element < first ? element : element + shift; };
    for (Equation& equation : band.equations) {
      equation.target = moved(equation.target);
      for (Operand& operand : equation.operands) operand.element = moved(operand.element);
      result.equations.push_back(std::move(equation));
    }
    shift += end - first;
  }
  return result;
}

std::vector<Program> independent_halves(const Program& program) {
  const std::vector<Equation>& equations = program.equations;
  const std::vector<std::size_t> equation_of = equation_of_element(program);
  std::vector<std::size_t> earliest_read(equations.size() + 1, equations.size());
  std::size_t work = 0;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    work += 1 + equations[i].operands.size();
    for (const Operand& operand : equations[i].operands) {
      const std::size_t made_by = equation_of[operand];
      if (made_by != kNone) earliest_read[i] = std::min(earliest_read[i], made_by);
    }
  }
  // What equation i and those that follow it read is assigned from there on.
  for (std::size_t i = equations.size(); i-- > 0;) {
    earliest_read[i] = std::min(earliest_read[i], earliest_read[i + 1]);
  }
  std::size_t cut = 0;
  std::size_t farthest = work;  // from the middle
  std::size_t before = 0;
  for (std::size_t i = 1; i < equations.size(); ++i) {
    before += 1 + equations[i - 1].operands.size();
    const std::size_t distance = std::max(2 * before, work) - std::min(2 * before, work);
    if (earliest_read[i] < i || distance >= farthest) continue;
    farthest = distance;
    cut = i;
  }
  if (cut == 0) return {};
  std::vector<Program> halves(2, without_equations(program));
  const auto middle = equations.begin() + static_cast<std::ptrdiff_t>(cut);
  halves[0].equations.assign(equations.begin(), middle);
  halves[1].equations.assign(middle, equations.end());
  for (Program& half : halves) {
    const std::vector<std::size_t> assigned = equation_of_element(half);
    std::erase_if(half.outputs, [&](Element output) {
      return output >= assigned.size() || assigned[output] == kNone;
    });
  }
  return halves;
}

}  // namespace xorloom
