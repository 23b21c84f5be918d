#include "equations/ir/operands.hpp"

#include <numeric>
#include <utility>

namespace xorloom {

void add_scaled(const Field& field, std::vector<Operand>& sum, Field::Symbol scale,
                const std::vector<Operand>& operands) {
  std::vector<Operand> both;
  both.reserve(sum.size() + operands.size());
  auto place = sum.begin();
  for (const auto& [element, coefficient] : operands) {
    while (place != sum.end() && place->element < element) both.push_back(*place++);
    Field::Symbol added = scale == 1 ? coefficient : field.multiply(scale, coefficient);
    if (place != sum.end() && place->element == element) added ^= (place++)->coefficient;
    if (added != 0) both.emplace_back(element, added);
  }
  both.insert(both.end(), place, sum.end());
  sum = std::move(both);
}

void add(std::vector<Operand>& sum, const Operand& operand) {
  if (sum.empty() || sum.back().element < operand.element) {
    sum.push_back(operand);
    return;
  }
  const auto place = std::ranges::lower_bound(sum, operand.element, {}, &Operand::element);
  if (place == sum.end() || place->element != operand.element) {
    sum.insert(place, operand);
  } else if (place->coefficient == operand.coefficient) {
    sum.erase(place);
  } else {
    place->coefficient ^= operand.coefficient;
  }
}

Field::Symbol coefficient_of(const std::vector<Operand>& sum, Element element) {
  const auto place = std::ranges::lower_bound(sum, element, {}, &Operand::element);
  return place != sum.end() && place->element == element ? place->coefficient : 0;
}

std::vector<Operand> sum_of(std::vector<Operand> operands) {
  std::ranges::sort(operands);
  auto end = operands.begin();  // end of the sum, which overwrites what was added
  for (const Operand operand : operands) {
    if (end == operands.begin() || end[-1].element != operand.element) {
      *end++ = operand;
    } else if (end[-1].coefficient == operand.coefficient) {
      --end;
    } else {
      end[-1].coefficient ^= operand.coefficient;
    }
  }
  operands.erase(end, operands.end());
  std::erase_if(operands, [](const Operand& operand) { return operand.coefficient == 0; });
  return operands;
}

ElementNames own_names(std::size_t num_elements, std::size_t num_kept) {
  ElementNames names(num_elements, kUnnamed);
  std::iota(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(num_kept), Element{0});
  return names;
}

void give(ElementNames& names, const std::vector<Element>& elements,
          const std::vector<Element>& new_names) {
  for (std::size_t i = 0; i < elements.size(); ++i) names[elements[i]] = new_names[i];
}

Equation renamed(Equation equation, ElementNames& names, Element& next) {
  const auto name_of = [&](Element element) {
    if (names[element] == kUnnamed) names[element] = next++;
    return names[element];
  };
  for (Operand& operand : equation.operands) operand.element = name_of(operand.element);
  std::ranges::sort(equation.operands);
  equation.target = name_of(equation.target);
  return equation;
}

}  // namespace xorloom
