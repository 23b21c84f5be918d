#include "runtime/engine/group_kernels.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

/// Locations that the temporaries of a program take beside those of its cells.
std::size_t scratch_locations(const Program& program) {
  const std::size_t temporaries = program.end_of_elements() - program.num_cells();
  return (temporaries + program.rows - 1) / program.rows;
}

/// The equations of some steps as a program of their own. What only they read stays a temporary.
Program part_of(const Program& program, std::size_t first, std::size_t last) {
  const std::size_t locations = program.locations + scratch_locations(program);
  Program part{locations, program.rows, {}, {}, {}, {}};
  std::vector<bool> is_made(program.end_of_elements());
  std::vector<bool> is_wanted(program.end_of_elements());
  for (const Element output : program.outputs) is_wanted[output] = true;
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const bool is_inside = first <= i && i < last;
    if (is_inside) is_made[program.equations[i].target] = true;
    if (is_inside) continue;
    for (const Element operand : program.equations[i].operands) is_wanted[operand] = true;
  }
  std::vector<Element> name(program.end_of_elements());
  std::vector<bool> is_input(program.end_of_elements());
  auto next = static_cast<Element>(locations * program.rows);
  for (Element e = 0; e < name.size(); ++e) name[e] = is_made[e] && !is_wanted[e] ? next++ : e;
  for (std::size_t i = first; i < last; ++i) {
    Equation equation = program.equations[i];
    if (is_wanted[equation.target]) part.outputs.push_back(equation.target);
    equation.target = name[equation.target];
    for (Operand& operand : equation.operands) {
      if (!is_made[operand]) is_input[operand] = true;
      operand.element = name[operand];
    }
    std::ranges::sort(equation.operands);
    part.equations.push_back(std::move(equation));
  }
  for (Element e = 0; e < is_input.size(); ++e) {
    if (is_input[e]) part.inputs.push_back(e);
  }
  std::ranges::sort(part.outputs);
  return part;
}

}  // namespace

void add_kernels(TaskGraph& tasks, const Code& code, const Program& program, Isa isa,
                 const JitOptions& options) {
  Code wide = code;
  wide.locations += scratch_locations(program);
  std::vector<PacketTileCode> kernels;
  for (std::size_t g = 0; g < tasks.num_groups(); ++g) {
    const Program part = part_of(program, tasks.first_step[g], tasks.first_step[g + 1]);
    std::optional<PacketTileCode> kernel = PacketTileCode::make(wide, part, isa, options);
    if (!kernel || kernel->tile_bytes() != code.packet_bytes) return;
    kernels.push_back(*std::move(kernel));
  }
  tasks.kernels = std::move(kernels);
  tasks.locations = code.locations;
  tasks.scratch_locations = wide.locations - code.locations;
  tasks.rows = code.rows();
}

}  // namespace xorloom
