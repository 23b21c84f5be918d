#include "gen/vector/held_matrices.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace xorloom {

HeldMatrices held_matrices(const InstructionSchedule& schedule, const VectorMachine& machine) {
  if (!machine.has_matrix_products) return {};
  int taken = 1;  // what flushes staged outputs needs one
  std::map<Field::Symbol, std::size_t> uses;
  for (const InstructionSchedule::Instruction& in : schedule.instructions) {
    taken = std::max({taken, in.target + 1, in.a + 1, in.b + 1});
    if (in.op == InstructionSchedule::Op::kMultiply) ++uses[in.coefficient];
  }
  std::vector<Field::Symbol> coefficients;
  for (const auto& [coefficient, count] : uses) coefficients.push_back(coefficient);
  std::ranges::stable_sort(coefficients, std::greater(),
                           [&](Field::Symbol coefficient) { return uses[coefficient]; });
  HeldMatrices held;
  int number = static_cast<int>(machine.registers);
  for (const Field::Symbol coefficient : coefficients) {
    if (number == taken) break;
    held[coefficient] = --number;
  }
  return held;
}

}  // namespace xorloom
