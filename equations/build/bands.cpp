#include "equations/build/bands.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {

std::vector<Program> bands_of(const Program& direct, std::size_t number) {
  const std::vector<std::size_t> equation_of = equation_of_element(direct);
  std::vector<Program> bands(number, direct);
  for (std::size_t b = 0; b < number; ++b) {
    Program& band = bands[b];
    const auto output = [&](std::size_t i) {
      return direct.outputs.begin() +
             static_cast<std::ptrdiff_t>(i * direct.outputs.size() / number);
    };
    band.outputs.assign(output(b), output(b + 1));
    band.equations.clear();
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

Program stacked(const Program& direct, const std::vector<Program>& bands) {
  Program result = direct;
  result.equations.clear();
  const Element first = direct.first_temporary();
  Element shift = 0;
  for (const Program& band : bands) {
    const auto moved = [&](Element element) { return element < first ? element : element + shift; };
    for (Equation equation : band.equations) {
      equation.target = moved(equation.target);
      for (Operand& operand : equation.operands) operand.element = moved(operand.element);
      result.equations.push_back(std::move(equation));
    }
    shift += band.end_of_elements() - first;
  }
  return result;
}

}  // namespace xorloom
