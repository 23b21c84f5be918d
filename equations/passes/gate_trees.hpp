#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Gates of a sum of that many operands, where a gate adds up to `inputs` values: a gate takes the
/// place of `inputs` values by one.
constexpr std::size_t gates_of_sum(std::size_t operands, std::size_t inputs) {
  return operands < 2 ? 0 : (operands - 2) / (inputs - 1) + 1;
}

/// The gates of a program, each equation by itself: lookup tables, if `inputs` is 4 or 6.
std::size_t num_gates(const Program& program, std::size_t inputs);

/// The program with each equation as a tree of gates: no equation has more than `inputs` operands.
/// Of the trees with the fewest gates it takes those of the least depth, by merging first what is
/// there first. A gate within a tree becomes a temporary.
///
/// Errors: throws kInvalidArgument if inputs is less than 2.
Program gate_trees(const Program& program, std::size_t inputs);

/// The longest chain of equations of two operands or more: the depth, if each is a gate.
std::size_t gate_depth(const Program& program);

/// The program with equations of more operands than `most` broken up: their first operands become a
/// temporary, that and the next ones another, and so on. What it costs in XORs stays the same.
///
/// Errors: throws kInvalidArgument if most is less than 2.
Program limit_operands(const Program& program, std::size_t most);

}  // namespace xorloom
