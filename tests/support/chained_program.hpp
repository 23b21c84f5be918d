#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// A program equal to a direct one whose equations hang together: temporaries that read
/// temporaries, outputs that read temporaries, and outputs that read outputs.
///
///   T0 ── T2 ── T4 ── …      T(i) = T(i-2) + what the first halves of outputs i and i-2 differ in
///   │     │     │
///   o0    o2    o4           o(i) = T(i) + the second half
///   │     │     │
///   o1    o3    o5           o(i) = o(i-1) + what they differ in
inline Program chained(const Program& direct) {
  const auto difference = [](std::vector<Operand> a, std::vector<Operand> b) {
    std::vector<Operand> result;
    std::ranges::sort(a);
    std::ranges::sort(b);
    std::ranges::set_symmetric_difference(a, b, std::back_inserter(result));
    return result;
  };
  const auto half = [](const Equation& equation) {
    const auto& all = equation.operands;
    return std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
  };
  Program program = direct;
  program.equations.clear();
  Element next = direct.first_temporary();
  for (std::size_t i = 0; i < direct.equations.size(); ++i) {
    const Equation& equation = direct.equations[i];
    if (i % 2 == 1) {
      auto operands = difference(equation.operands, direct.equations[i - 1].operands);
      operands.push_back(direct.equations[i - 1].target);
      program.equations.push_back({equation.target, std::move(operands)});
      continue;
    }
    auto operands = half(equation);
    if (i >= 2) {
      operands = difference(std::move(operands), half(direct.equations[i - 2]));
      operands.push_back(next - 1);
    }
    program.equations.push_back({next, std::move(operands)});
    operands = difference(equation.operands, half(equation));
    operands.push_back(next);
    program.equations.push_back({equation.target, std::move(operands)});
    ++next;
  }
  for (Equation& equation : program.equations) std::ranges::sort(equation.operands);
  check_program(program);
  return program;
}

}  // namespace xorloom
