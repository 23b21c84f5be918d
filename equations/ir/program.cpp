#include "equations/ir/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/operands.hpp"

namespace xorloom {
namespace {

/// Prefix of a virtual element's name, before the number of its cell.
const char* prefix(VirtualElement::Kind kind) {
  switch (kind) {
    case VirtualElement::Kind::kDifference:
      return "d";
    case VirtualElement::Kind::kOld:
      return "old";
    default:
      return "new";
  }
}

/// Checks the invariants of virtual elements. Precondition: inputs and outputs are in range.
void check_virtuals(const Program& program) {
  if (program.virtuals.empty()) return;
  const auto bad = [&](std::size_t index, const std::string& what) {
    const auto element = program.num_cells() + static_cast<Element>(index);
    fail(Status::kParse, "{} {}", element_name(program, element), what);
  };
  std::vector<bool> is_input(program.first_temporary());
  std::vector<bool> is_output(program.first_temporary());
  for (const Element input : program.inputs) is_input[input] = true;
  for (const Element output : program.outputs) is_output[output] = true;
  for (std::size_t i = 0; i < program.virtuals.size(); ++i) {
    const auto [kind, element] = program.virtuals[i];
    const bool computed = kind == VirtualElement::Kind::kUpdated;
    if (element >= program.num_cells()) {
      bad(i, fmt::format("is about none of the {} cells", program.num_cells()));
    }
    if (computed && !is_output[program.num_cells() + i])
      bad(i, "is not among the outputs, as an updated element is");
    if (!computed && !is_input[program.num_cells() + i])
      bad(i, "is not among the inputs, as a difference or an old value is");
  }
  std::vector<std::size_t> order(program.virtuals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto about = [&](std::size_t i) { return program.virtuals[i]; };
  std::ranges::sort(order, {}, about);
  const auto twice = std::ranges::adjacent_find(order, {}, about);
  if (twice != order.end()) bad(*twice, "has two numbers");
}

/// Throws kParse for equation `number`, whose target an earlier one computes, too.
[[noreturn]] void fail_on_second(const Program& program, std::size_t number) {
  const Element target = program.equations[number].target;
  const auto first = std::ranges::find(program.equations, target, &Equation::target);
  fail(Status::kParse,
       "{} is assigned twice, by equations {} and {}: take one out, or let it compute another "
       "element",
       element_name(program, target), first - program.equations.begin() + 1, number + 1);
}

/// Replaces each operand's element by name_of(element); the order stays.
template <typename NameOf>
std::vector<Operand> called(std::vector<Operand> operands, const NameOf& name_of) {
  for (Operand& operand : operands) operand.element = name_of(operand.element);
  return operands;
}

}  // namespace

Element Program::end_of_elements() const {
  Element end = first_temporary();
  for (const Equation& equation : equations) {
    end = std::max(end, equation.target + 1);
    for (const Element operand : equation.operands) end = std::max(end, operand + 1);
  }
  for (const Element element : inputs) end = std::max(end, element + 1);
  for (const Element element : outputs) end = std::max(end, element + 1);
  return end;
}

Program without_equations(const Program& program) {
  return {program.locations, program.rows, program.inputs, program.outputs, {},
          program.virtuals,  program.field};
}

Program layout_of_matrix(std::size_t rows, std::size_t columns) {
  Program layout{columns + rows, 1, std::vector<Element>(columns), std::vector<Element>(rows), {}};
  std::iota(layout.inputs.begin(), layout.inputs.end(), Element{0});
  std::iota(layout.outputs.begin(), layout.outputs.end(), static_cast<Element>(columns));
  return layout;
}

std::vector<std::size_t> equation_of_element(const Program& program) {
  std::vector<std::size_t> index(program.end_of_elements(), kNone);
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    index[program.equations[i].target] = i;
  }
  return index;
}

std::vector<std::size_t> last_reader_of_element(const Program& program) {
  std::vector<std::size_t> last(program.end_of_elements(), kNone);
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    for (const Element operand : program.equations[i].operands) last[operand] = i;
  }
  return last;
}

std::vector<std::vector<std::size_t>> readers_of_elements(const Program& program) {
  std::vector<std::vector<std::size_t>> readers(program.end_of_elements());
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    for (const Element operand : program.equations[i].operands) readers[operand].push_back(i);
  }
  return readers;
}

std::string element_name(const Program& program, Element element) {
  if (const VirtualElement* about = program.virtual_element(element)) {
    return fmt::format("{}{}", prefix(about->kind), about->element);
  }
  if (element < program.num_cells()) return fmt::format("{}", element);
  const Element temporary = element - program.first_temporary();
  if (temporary < 26) return std::string(1, static_cast<char>('A' + temporary));
  return fmt::format("T{}", temporary);
}

void require_xors(const Program& program, const char* what) {
  if (program.is_xor()) return;
  fail(Status::kUnsupported, "{} takes an XOR program, but this one has symbols of {} bits", what,
       program.field.w());
}

void check_program(const Program& program) {
  const auto name = [&](Element element) { return element_name(program, element); };
  const auto bad = [](const std::string& sentence) { fail(Status::kParse, sentence); };
  enum class State : char { kUnknown, kInput, kAssigned };
  const Element end = program.end_of_elements();
  std::vector<State> state(end, State::kUnknown);
  for (const Element input : program.inputs) {
    if (input >= program.first_temporary()) {
      bad(fmt::format("input {} is not one of the {} cells", name(input), program.num_cells()));
    }
    if (state[input] != State::kUnknown) bad(fmt::format("input {} is listed twice", name(input)));
    state[input] = State::kInput;
  }
  for (std::size_t number = 0; number < program.equations.size(); ++number) {
    const Equation& equation = program.equations[number];
    for (std::size_t i = 0; i < equation.operands.size(); ++i) {
      const auto [operand, coefficient] = equation.operands[i];
      if (coefficient == 0 || coefficient >= program.field.size()) {
        bad(fmt::format(
            "the coefficient {:#x} of {} in the equation of {} is not one of 0x1 to {:#x}",
            coefficient, name(operand), name(equation.target), program.field.size() - 1));
      }
      if (i > 0 && operand == equation.operands[i - 1].element) {
        bad(fmt::format("the equation of {} lists {} twice", name(equation.target), name(operand)));
      }
      if (i > 0 && operand < equation.operands[i - 1].element) {
        bad(fmt::format("the operands of {} are not sorted", name(equation.target)));
      }
      if (state[operand] == State::kUnknown) {
        bad(fmt::format(
            "the equation of {} reads {}, which is neither an input nor computed before",
            name(equation.target), name(operand)));
      }
    }
    State& target = state[equation.target];
    if (target == State::kInput) bad(fmt::format("input {} is assigned", name(equation.target)));
    if (target == State::kAssigned) fail_on_second(program, number);
    target = State::kAssigned;
  }
  std::vector<bool> listed(end);
  for (const Element output : program.outputs) {
    if (output >= program.first_temporary()) {
      bad(fmt::format("output {} is not one of the {} cells", name(output), program.num_cells()));
    }
    if (listed[output]) bad(fmt::format("output {} is listed twice", name(output)));
    if (state[output] != State::kAssigned)
      bad(fmt::format("output {} has no equation", name(output)));
    listed[output] = true;
  }
  check_virtuals(program);
}

void sort_equations(Program& program) {
  for (Equation& equation : program.equations) std::ranges::sort(equation.operands);
  std::vector<std::size_t> defined_by(program.end_of_elements(), kNone);
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    std::size_t& index = defined_by[program.equations[i].target];
    if (index != kNone) {
      fail_on_second(program, i);
    }
    index = i;
  }
  // Depth first with a stack of our own, since chains may be as long as the program.
  enum class Mark : char { kNew, kOpen, kDone };
  std::vector<Mark> marks(program.equations.size(), Mark::kNew);
  std::vector<Equation> sorted;
  sorted.reserve(program.equations.size());
  std::vector<std::pair<std::size_t, std::size_t>> stack;  // equation, next operand
  for (std::size_t start = 0; start < program.equations.size(); ++start) {
    if (marks[start] != Mark::kNew) continue;
    stack.emplace_back(start, 0);
    marks[start] = Mark::kOpen;
    while (!stack.empty()) {
      auto& [index, next] = stack.back();
      Equation& equation = program.equations[index];
      if (next == equation.operands.size()) {
        marks[index] = Mark::kDone;
        sorted.push_back(std::move(equation));
        stack.pop_back();
        continue;
      }
      const std::size_t child = defined_by[equation.operands[next++]];
      if (child == kNone || marks[child] == Mark::kDone) continue;
      if (marks[child] == Mark::kOpen) {
        fail(Status::kParse, "the equations form a cycle through {}",
             element_name(program, program.equations[child].target));
      }
      marks[child] = Mark::kOpen;
      stack.emplace_back(child, 0);
    }
  }
  program.equations = std::move(sorted);
}

Program dense_without_equations(std::size_t inputs, std::size_t outputs, const Field& field) {
  Program result;
  result.inputs.resize(inputs);
  std::iota(result.inputs.begin(), result.inputs.end(), Element{0});
  result.outputs.resize(outputs);
  result.field = field;
  return result;
}

Element add_equation(Program& tile, std::vector<Operand> operands) {
  const auto made = static_cast<Element>(num_values(tile));
  tile.equations.push_back({made, std::move(operands)});
  return made;
}

Program dense(const Program& program) {
  Program result =
      dense_without_equations(program.inputs.size(), program.outputs.size(), program.field);
  std::vector<Element> value(program.end_of_elements());
  for (Element i = 0; i < program.inputs.size(); ++i) value[program.inputs[i]] = i;
  const auto value_of = [&](Element element) { return value[element]; };
  result.equations.reserve(program.equations.size());
  for (const Equation& equation : program.equations) {
    value[equation.target] = add_equation(result, called(equation.operands, value_of));
  }
  for (std::size_t o = 0; o < program.outputs.size(); ++o) {
    result.outputs[o] = value[program.outputs[o]];
    if (result.outputs[o] >= program.inputs.size()) continue;
    fail(Status::kInternal, "output {} has no equation", element_name(program, program.outputs[o]));
  }
  return result;
}

Program in_places_of(const Program& places, const Program& tile) {
  Program result = without_equations(places);
  ElementNames name = places.inputs;
  name.resize(num_values(tile), kUnnamed);
  for (std::size_t o = 0; o < tile.outputs.size(); ++o) name[tile.outputs[o]] = places.outputs[o];
  const auto name_of = [&](Element element) { return name[element]; };
  Element next = result.first_temporary();
  result.equations.reserve(tile.equations.size());
  for (const auto& [target, operands] : tile.equations) {
    if (name[target] == kUnnamed) name[target] = next++;
    result.equations.push_back({name[target], sum_of(called(operands, name_of))});
  }
  return result;
}

std::vector<std::uint32_t> outputs_by_equation(const Program& tile) {
  std::vector<std::uint32_t> output(tile.equations.size(), kNoOutput);
  for (std::uint32_t o = 0; o < tile.outputs.size(); ++o) {
    output[tile.outputs[o] - tile.inputs.size()] = o;
  }
  return output;
}

Program unrolled(Program tile, std::size_t copies) {
  if (copies == 1) return tile;
  const auto inputs = static_cast<Element>(tile.inputs.size());
  const auto equations = static_cast<Element>(tile.equations.size());
  const std::size_t outputs = tile.outputs.size();
  Program wide = dense_without_equations(copies * inputs, copies * outputs, tile.field);
  wide.equations.reserve(copies * equations);
  for (Element copy = 0; copy < copies; ++copy) {
    const auto moved = [&](Element element) {
      return element < inputs
                 ? element + copy * inputs
                 : static_cast<Element>(element + (copies - 1) * inputs + copy * equations);
    };
    for (const Equation& equation : tile.equations) {
      add_equation(wide, called(equation.operands, moved));
    }
    for (std::size_t o = 0; o < outputs; ++o) {
      wide.outputs[copy * outputs + o] = moved(tile.outputs[o]);
    }
  }
  return wide;
}

Program reordered(const Program& tile, const EquationOrder& order) {
  Program result = dense_without_equations(tile.inputs.size(), tile.outputs.size(), tile.field);
  std::vector<Element> value = tile.inputs;
  value.resize(num_values(tile));
  const auto value_of = [&](Element element) { return value[element]; };
  result.equations.reserve(order.size());
  for (const std::uint32_t e : order) {
    value[tile.equations[e].target] =
        add_equation(result, called(tile.equations[e].operands, value_of));
  }
  for (std::size_t o = 0; o < tile.outputs.size(); ++o) result.outputs[o] = value[tile.outputs[o]];
  return result;
}

}  // namespace xorloom
