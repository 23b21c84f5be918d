#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "equations/passes/gate_trees.hpp"

namespace xorloom {

/// The program with every temporary that one equation reads, and no other, written into that
/// equation, and the others renumbered in the order they are computed in. As many XORs, fewer
/// equations.
///
/// Where a written-in temporary shares an operand with its equation the two cancel, which saves
/// XORs.
Program fuse_single_use(const Program& program);

/// Instructions of a sum of this many operands where one instruction adds two of them to it: half
/// the XORs, rounded up.
constexpr std::size_t three_way_instructions(std::size_t operands) {
  return gates_of_sum(operands, 3);
}

/// The program with temporaries written into all their readers as long as that takes fewer
/// instructions of three operands; those of one reader always are. XORs may become more.
///
///     A = 0+1   4 = A+2   5 = A+3        3 instructions
///     4 = 0+1+2   5 = 0+1+3              2
///
/// Cost: O(equations · operands) a round, of which there are a few.
Program fuse_three_way(const Program& program);

/// The same for gates that add up to `inputs` values each (gates_of_sum), of which fuse_three_way
/// has those of three.
Program fuse_wide(const Program& program, std::size_t inputs);

}  // namespace xorloom
