#pragma once

#include <optional>

#include "codes/field/field.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/tile_program.hpp"

namespace xorloom {

/// The tile of a linear map on words: a vector of each cell. As many inputs are added to all
/// outputs at a time as fit in registers beside the sums. Where products are looked up in tables it
/// is one input, as it is split into nibbles once for as many outputs as have their sums in
/// registers.
///
/// Else, where the matrix has dyadic blocks, as those of 1/(x + y) have, one multiplication of four is
/// saved, and again within what is left, if that takes the machine less time:
///
///     | a b |   | x |     p = a (x + x')     p + (a + b) x'
///     | b a | · | x'|                        p + (a + b) x
///
/// Its equations are in the order they are to be computed in.
///
/// Source: the blocks are Karatsuba's trick for the group ring of Z/2; that Cauchy matrices over
///         index sets closed under + are made of them is plain from 1/(x + y).
TileProgram tile_of(const Field& field, const LinearMap& map, const VectorMachine& machine);

/// The same of a program of sums of sums. Where few equations read inputs, these are added as
/// above: by blocks, or each to all sums that it is a term of. Otherwise equations are computed as
/// they come.
TileProgram tile_of(const Program& program, const VectorMachine& machine);

/// The same with all inputs at once and by dyadic blocks: for those who order equations themselves.
/// None where blocks save no multiplication, or many equations read inputs.
std::optional<TileProgram> tile_by_blocks(const Program& program);

}  // namespace xorloom
