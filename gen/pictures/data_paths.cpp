#include "gen/pictures/data_paths.hpp"

namespace xorloom {
namespace {

std::map<Element, std::size_t> group_numbers(const std::vector<ElementGroup>& groups) {
  std::map<Element, std::size_t> numbers;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Element element : groups[g].elements) numbers[element] = g;
  }
  return numbers;
}

}  // namespace

DataPaths data_paths(const Program& program, const CoreSchedule& plan) {
  DataPaths paths;
  paths.sources = groups_of(program, program.inputs);
  paths.results = groups_of(program, program.outputs);
  const std::map<Element, std::size_t> sources = group_numbers(paths.sources);
  std::map<Element, Element> copied;
  for (const Equation& equation : program.equations) {
    if (equation.operands.size() != 1) continue;
    const Element operand = equation.operands.front();
    const auto before = copied.find(operand);
    copied[equation.target] = before == copied.end() ? operand : before->second;
  }
  const auto origin = [&](Element element) {
    const auto found = copied.find(element);
    return found == copied.end() ? element : found->second;
  };
  std::map<Element, std::size_t> core_of;
  for (const CoreStep& step : plan.steps) core_of[step.target] = step.core;
  for (const CoreStep& step : plan.steps) {
    for (const Element operand : step.operands) {
      const Element element = origin(operand);
      const auto source = sources.find(element);
      const auto core = core_of.find(element);
      if (source != sources.end()) {
        paths.reads[{source->second, step.core}].insert(element);
      } else if (core != core_of.end() && core->second != step.core) {
        paths.moves[{core->second, step.core}].insert(element);
      }
    }
  }
  for (std::size_t g = 0; g < paths.results.size(); ++g) {
    for (const Element output : paths.results[g].elements) {
      const auto source = sources.find(origin(output));
      const auto core = core_of.find(origin(output));
      if (source != sources.end()) paths.copies[{source->second, g}].insert(output);
      if (core != core_of.end()) paths.writes[{core->second, g}].insert(output);
    }
  }
  return paths;
}

}  // namespace xorloom
