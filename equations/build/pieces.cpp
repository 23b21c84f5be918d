#include "equations/build/pieces.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/operands.hpp"

namespace xorloom {
namespace {

/// Appends the equations of a program in new names. A copy whose target has no name is left out:
/// its target gets the name of its source.
void append(const Program& program, ElementNames& names, Element& next,
            std::vector<Equation>& equations) {
  for (const Equation& equation : program.equations) {
    Element& name = names[equation.target];
    if (name == kUnnamed && equation.operands.size() == 1) {
      name = names[equation.operands.front()];
    } else {
      equations.push_back(renamed(equation, names, next));
    }
  }
}

/// Names of a program's elements: elements from `first` on are renumbered by + `shift`.
ElementNames shifted_names(const Program& program, Element first, Element shift) {
  ElementNames names = own_names(program.end_of_elements(), program.end_of_elements());
  for (Element element = first; element < names.size(); ++element) names[element] += shift;
  return names;
}

}  // namespace

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

Program stacked(const Program& direct, const std::vector<Program>& bands) {
  Program result = without_equations(direct);
  const Element first = direct.first_temporary();
  Element next = first;
  for (const Program& band : bands) {
    ElementNames names = shifted_names(band, first, next - first);
    next += band.end_of_elements() - first;
    append(band, names, next, result.equations);
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
  // The earliest equation whose target is read by equation i or a later one.
  for (std::size_t i = equations.size(); i-- > 0;) {
    earliest_read[i] = std::min(earliest_read[i], earliest_read[i + 1]);
  }
  std::size_t cut = 0;
  std::size_t farthest = work;  // distance of the cut from the middle of the work, times 2
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

std::vector<Program> cut_by_inputs(const Program& direct, const std::vector<std::size_t>& part_of,
                                   std::size_t number) {
  Program empty = without_equations(direct);
  empty.inputs.clear();
  empty.outputs.clear();
  std::vector<Program> parts(number, empty);
  for (const Element input : direct.inputs) parts[part_of[input]].inputs.push_back(input);
  for (const Equation& equation : direct.equations) {
    std::vector<std::vector<Operand>> operands(number);
    for (const Operand& operand : equation.operands) {
      if (part_of[operand] == kNone) {
        fail(Status::kInternal, "equations that are cut by their inputs read inputs alone");
      }
      operands[part_of[operand]].push_back(operand);
    }
    for (std::size_t p = 0; p < number; ++p) {
      if (operands[p].empty()) continue;
      parts[p].outputs.push_back(equation.target);
      parts[p].equations.push_back({equation.target, std::move(operands[p])});
    }
  }
  return parts;
}

std::vector<Program> windows_of(const Program& direct, std::size_t inputs) {
  std::vector<std::size_t> window_of(direct.end_of_elements(), kNone);
  const std::size_t end = direct.inputs.size();
  for (std::size_t i = 0; i < end; ++i) window_of[direct.inputs[i]] = i / inputs;
  std::vector<Program> windows = cut_by_inputs(direct, window_of, (end + inputs - 1) / inputs);
  std::erase_if(windows, [](const Program& window) { return window.equations.empty(); });
  return windows;
}

Program summed(const Program& direct, const std::vector<Program>& windows) {
  Program result = without_equations(direct);
  const Element first = direct.first_temporary();
  std::vector<std::vector<Operand>> sums(first);
  Element next = first;
  for (const Program& window : windows) {
    ElementNames names = shifted_names(window, first, next - first);
    next += window.end_of_elements() - first;
    for (const Element output : window.outputs) names[output] = kUnnamed;
    append(window, names, next, result.equations);
    for (const Element output : window.outputs) sums[output].emplace_back(names[output]);
  }
  for (const Equation& equation : direct.equations) {
    std::vector<Operand>& operands = sums[equation.target];
    std::ranges::sort(operands);
    result.equations.push_back({equation.target, std::move(operands)});
  }
  return result;
}

Program chained(const Program& first, const Program& second) {
  Program result = layout_of_matrix(second.outputs.size(), first.inputs.size());
  Element next = result.first_temporary();
  ElementNames of_first(first.end_of_elements(), kUnnamed);
  give(of_first, first.inputs, result.inputs);
  append(first, of_first, next, result.equations);
  std::vector<Element> between;
  for (const Element output : first.outputs) between.push_back(of_first[output]);
  ElementNames of_second(second.end_of_elements(), kUnnamed);
  give(of_second, second.inputs, between);
  give(of_second, second.outputs, result.outputs);
  append(second, of_second, next, result.equations);
  return result;
}

}  // namespace xorloom
