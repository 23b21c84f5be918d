#pragma once

#include <optional>

#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// The tile of a program over symbols: a vector of each cell, its equations in order of
/// computation.
///
/// Inputs are added to all sums in blocks, whose inputs fit the registers beside the sums. If
/// products are looked up in tables, a block is one input, which is split into nibbles once for all
/// outputs whose sums are in registers.
///
/// Otherwise, dyadic blocks of the matrix, as matrices of 1/(x + y) have, save one multiplication
/// of four, and again within what is left. They are used if that takes the machine less time:
///
///     | a b |   | x |     p = a (x + x')     p + (a + b) x'
///     | b a | · | x'|                        p + (a + b) x
///
/// In a program of sums of sums, inputs are added in the same way if few equations read them; by
/// tables, each value is added to the sums of all its readers. If many equations read inputs,
/// equations keep their order.
///
/// Source: the blocks are Karatsuba's trick for the group ring of Z/2; that Cauchy matrices over
///         index sets closed under + are made of them is plain from 1/(x + y).
Program word_tile(const Program& program, const MachineFacts& machine);

/// As word_tile(), but with all inputs at once and by dyadic blocks: for callers that order
/// equations themselves. nullopt if blocks save no multiplication, or if many equations read
/// inputs.
std::optional<Program> tile_by_blocks(const Program& program);

}  // namespace xorloom
