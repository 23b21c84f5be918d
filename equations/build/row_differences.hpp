#pragma once

#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// A program whose direct equations read the inputs alone, or the target of another and the inputs
/// in which the two differ: the choice that takes the fewest XORs, a minimum spanning tree of their
/// targets and zero. Common pairs never cancel; here ones do, which saves most in dense matrices.
/// Of choices that are alike one of the inputs alone is taken, or with random given, any.
///
/// Shape: equations that read others stay as they are.
/// Cost:  O(equations² · inputs / 64).
/// Source: R. Prim, Shortest connection networks and some generalizations, Bell System Technical
///         Journal 1957; on bitmatrices, but greedily: J. Plank, The RAID-6 Liberation codes, FAST
///         2008, bit matrix scheduling.
Program row_differences(const Program& program, Random* random = nullptr);

}  // namespace xorloom
