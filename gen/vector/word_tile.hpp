#pragma once

#include <optional>

#include "codes/field/field.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/dense_program.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// The tile of a program over symbols: a vector of each cell, its equations in the order that they
/// are to be computed in.
///
/// As many inputs are added to all sums at a time as fit in registers beside the sums. Where
/// products are looked up in tables it is one input, as it is split into nibbles once for as many
/// outputs as have their sums in registers.
///
/// Else, where the matrix has dyadic blocks, as those of 1/(x + y) have, one multiplication of four
/// is saved, and again within what is left, if that takes the machine less time:
///
///     | a b |   | x |     p = a (x + x')     p + (a + b) x'
///     | b a | · | x'|                        p + (a + b) x
///
/// In a program of sums of sums so are the inputs, if few equations read them; by tables, each
/// value is added to all sums that it is a term of. Where many equations read inputs, they are
/// computed as they come.
///
/// Source: the blocks are Karatsuba's trick for the group ring of Z/2; that Cauchy matrices over
///         index sets closed under + are made of them is plain from 1/(x + y).
Program word_tile(const Program& program, const MachineFacts& machine);

/// The same with all inputs at once and by dyadic blocks: for those who order equations themselves.
/// None where blocks save no multiplication, or many equations read inputs.
std::optional<Program> tile_by_blocks(const Program& program);

}  // namespace xorloom
