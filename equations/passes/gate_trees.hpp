#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Gates of a sum of `operands` operands. A gate adds up to `inputs` values, and replaces them by
/// one.
constexpr std::size_t gates_of_sum(std::size_t operands, std::size_t inputs) {
  return operands < 2 ? 0 : (operands - 2) / (inputs - 1) + 1;
}

/// Gates of a program, its equations counted one by one: lookup tables if `inputs` is 4 or 6.
std::size_t num_gates(const Program& program, std::size_t inputs);

/// Makes each equation a tree of gates, so that none has more than `inputs` operands. Of the trees
/// with the fewest gates, takes those of the least depth: a gate takes the operands that are ready
/// first. Inner gates of trees become temporaries.
///
/// Errors: throws kInvalidArgument if inputs is less than 2.
Program gate_trees(const Program& program, std::size_t inputs);

/// The most equations of two operands or more on a path: the depth if each is a gate.
std::size_t gate_depth(const Program& program);

/// Splits equations of more than `most` operands into chains: their first operands become a
/// temporary, this and the next operands another, and so on. The number of XORs stays the same.
///
/// Errors: throws kInvalidArgument if most is less than 2.
Program limit_operands(const Program& program, std::size_t most);

}  // namespace xorloom
