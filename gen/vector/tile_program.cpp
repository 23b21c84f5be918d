#include "gen/vector/tile_program.hpp"

#include <algorithm>
#include <utility>

namespace xorloom {

TileProgram tile_of(const Program& program) {
  TileProgram tile;
  tile.field = program.field;
  const Element end = program.end_of_elements();
  std::vector<TileProgram::Value> value(end);
  TileProgram::Value next = 0;
  for (const Element input : program.inputs) {
    tile.inputs.push_back({input});
    value[input] = next++;
  }
  std::vector<std::uint32_t> output(end, TileProgram::kNoOutput);
  for (const Element element : program.outputs) {
    output[element] = static_cast<std::uint32_t>(tile.outputs.size());
    tile.outputs.push_back({element});
  }
  tile.equations.reserve(program.equations.size());
  for (const Equation& equation : program.equations) {
    TileProgram::Equation made;
    made.output = output[equation.target];
    made.terms.reserve(equation.operands.size());
    for (const auto& [element, coefficient] : equation.operands) {
      made.terms.push_back({value[element], coefficient});
    }
    value[equation.target] = next++;
    tile.equations.push_back(std::move(made));
  }
  return tile;
}

TileProgram unrolled(TileProgram tile, std::size_t copies) {
  if (copies == 1) return tile;
  TileProgram wide{{}, {}, {}, tile.field};
  wide.equations.reserve(copies * tile.equations.size());
  const auto inputs = static_cast<TileProgram::Value>(tile.inputs.size());
  const auto equations = static_cast<TileProgram::Value>(tile.equations.size());
  const auto all_inputs = static_cast<TileProgram::Value>(copies * inputs);
  for (std::uint32_t copy = 0; copy < copies; ++copy) {
    for (const TileProgram::Cell cell : tile.inputs) wide.inputs.push_back({cell.element, copy});
    for (const TileProgram::Cell cell : tile.outputs) wide.outputs.push_back({cell.element, copy});
    for (TileProgram::Equation equation : tile.equations) {
      if (equation.output != TileProgram::kNoOutput) {
        equation.output += static_cast<std::uint32_t>(copy * tile.outputs.size());
      }
      for (TileProgram::Term& term : equation.terms) {
        const bool is_input = term.value < inputs;
        term.value = is_input ? term.value + copy * inputs
                              : term.value - inputs + all_inputs + copy * equations;
      }
      wide.equations.push_back(std::move(equation));
    }
  }
  return wide;
}

TileProgram reordered(const TileProgram& tile, const std::vector<std::uint32_t>& order) {
  TileProgram result{tile.inputs, tile.outputs, {}, tile.field};
  std::vector<TileProgram::Value> value(tile.num_values());
  for (std::size_t i = 0; i < tile.inputs.size(); ++i) {
    value[i] = static_cast<TileProgram::Value>(i);
  }
  for (const std::uint32_t e : order) {
    TileProgram::Equation equation = tile.equations[e];
    for (TileProgram::Term& term : equation.terms) term.value = value[term.value];
    value[tile.value_of(e)] = result.value_of(result.equations.size());
    result.equations.push_back(std::move(equation));
  }
  return result;
}

}  // namespace xorloom
