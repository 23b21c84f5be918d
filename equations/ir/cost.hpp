#pragma once

#include <cstddef>
#include <string>

#include "equations/ir/program.hpp"

namespace xorloom {

/// What a program costs, in two-input XORs and, over a larger field than GF(2), in multiplications;
/// docs/glossary.md defines the words. An XOR of symbols adds two of them.
struct Cost {
  std::size_t xors = 0;              ///< sum of max(0, operands - 1)
  std::size_t multiplications = 0;   ///< operands with another coefficient than 1
  std::size_t longest_equation = 0;  ///< the most XORs in one equation
  std::size_t longest_path = 0;      ///< equations atomic: the longest chain
  std::size_t critical_path = 0;     ///< operands merged in the best order: the longest chain
  std::size_t temporaries = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
};

Cost cost(const Program& program);

/// XORs of one equation.
inline std::size_t xors(const Equation& equation) {
  return equation.operands.empty() ? 0 : equation.operands.size() - 1;
}

/// The XORs of all equations: the xors of Cost, without the rest.
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

/// The most values at any one time that were computed and are still to be read, with the equations
/// computed in their order.
std::size_t peak_live(const Program& program);

/// F of the papers: (XORs per redundant bit + 1) / k, the factor over the optimum of k-1.
double cost_factor(std::size_t xors, std::size_t redundant_bits, std::size_t k);

}  // namespace xorloom
