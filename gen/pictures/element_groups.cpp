#include "gen/pictures/element_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace xorloom {

std::vector<ElementGroup> groups_of(const Program& program, std::span<const Element> elements) {
  using Kind = std::optional<VirtualElement::Kind>;
  const auto place = [&](Element element) {
    const VirtualElement* const about = program.virtual_element(element);
    return about == nullptr ? std::pair(Kind{}, element / program.rows)
                            : std::pair(Kind{about->kind}, about->element / program.rows);
  };
  std::vector<ElementGroup> groups;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i == 0 || place(elements[i]) != place(elements[i - 1])) {
      groups.push_back({place(elements[i]).second, {}});
    }
    groups.back().elements.push_back(elements[i]);
  }
  return groups;
}

std::vector<std::size_t> inks_of(const Program& program) {
  std::vector<std::size_t> inks(program.end_of_elements(), kNone);
  std::size_t next = 0;
  for (const Element output : program.outputs) inks[output] = next++;
  std::vector<Element> others;
  for (const Equation& equation : program.equations) {
    if (inks[equation.target] == kNone) others.push_back(equation.target);
  }
  std::ranges::sort(others);
  for (const Element target : others) inks[target] = next++;
  return inks;
}

std::string group_name(const ElementGroup& group) {
  return fmt::format("chunk {}", group.location);
}

}  // namespace xorloom
