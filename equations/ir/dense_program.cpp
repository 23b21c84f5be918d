#include "equations/ir/dense_program.hpp"

#include <numeric>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/operands.hpp"

namespace xorloom {
namespace {

/// Replaces each operand's element by name_of(element); the order stays.
template <typename NameOf>
std::vector<Operand> called(std::vector<Operand> operands, const NameOf& name_of) {
  for (Operand& operand : operands) operand.element = name_of(operand.element);
  return operands;
}

}  // namespace

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
