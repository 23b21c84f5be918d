#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "equations/passes/gate_trees.hpp"

namespace xorloom {

/// Writes every temporary with a single reader into that reader, and renumbers the others in their
/// order. The XORs stay the same, the equations get fewer.
///
/// If a temporary and its reader share an operand, the two cancel, which saves XORs.
Program fuse_single_use(const Program& program);

/// Instructions of a sum of `operands` operands if an instruction adds two operands to it: half the
/// XORs, rounded up.
constexpr std::size_t three_way_instructions(std::size_t operands) {
  return gates_of_sum(operands, 3);
}

/// Writes a temporary into all its readers if that takes fewer three-operand instructions, or if it
/// has one reader and they do not get more. The number of XORs may grow.
///
///     A = 0+1   4 = A+2   5 = A+3        3 instructions
///     4 = 0+1+2   5 = 0+1+3              2
///
/// Cost: O(equations · operands) per round; there are a few rounds.
Program fuse_three_way(const Program& program);

/// As fuse_three_way, for gates of up to `inputs` inputs (gates_of_sum).
Program fuse_wide(const Program& program, std::size_t inputs);

}  // namespace xorloom
