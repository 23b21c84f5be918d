#pragma once

#include <cstddef>
#include <string>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Cost of a program in two-input XORs and, over a field larger than GF(2), multiplications;
/// docs/glossary.md defines the terms. Over symbols, an XOR adds two symbols.
struct Cost {
  std::size_t xors = 0;              ///< sum of max(0, operands - 1)
  std::size_t multiplications = 0;   ///< operands whose coefficient is not 1
  std::size_t longest_equation = 0;  ///< the most XORs in one equation
  std::size_t longest_path = 0;      ///< longest chain of XORs if equations are atomic
  std::size_t critical_path = 0;     ///< longest chain if operands are merged in the best order
  std::size_t temporaries = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
};

Cost cost(const Program& program);

/// XORs of one equation.
inline std::size_t xors(const Equation& equation) {
  return equation.operands.empty() ? 0 : equation.operands.size() - 1;
}

/// XORs of all equations, as Cost::xors.
inline std::size_t xors(const Program& program) {
  std::size_t sum = 0;
  for (const Equation& equation : program.equations) sum += xors(equation);
  return sum;
}

/// The operands of all equations.
inline std::size_t num_operands(const Program& program) {
  std::size_t sum = 0;
  for (const Equation& equation : program.equations) sum += equation.operands.size();
  return sum;
}

/// The operands whose coefficient is not 1.
std::size_t multiplications(const Equation& equation);
std::size_t multiplications(const Program& program);

/// "12 XORs", over symbols "36 XORs, 1 multiplication".
std::string work_text(const Program& program);

/// The most values that are live at once (computed, and still to be read) if the equations are
/// computed in their order.
std::size_t peak_live(const Program& program);

/// F of the papers: (XORs per redundant bit + 1) / k, the factor over the optimum of k-1.
double cost_factor(std::size_t xors, std::size_t redundant_bits, std::size_t k);

}  // namespace xorloom
