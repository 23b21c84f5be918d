#pragma once

#include "equations/program.hpp"
#include "equations/random.hpp"

namespace xorloom {

/// What a program computes, each output over the inputs alone or over another output and the inputs
/// in which they differ: the choice that takes the fewest XORs, a minimum spanning tree of the
/// outputs and zero. Common pairs never cancel; here ones do, which saves most in dense matrices.
/// Of choices that are alike an output is made of the inputs alone, or with random given, any way.
///
/// Shape: inputs, outputs and virtual elements are those of the program; no temporaries.
/// Cost:  O(outputs² · inputs / 64).
/// Source: R. Prim, Shortest connection networks and some generalizations, Bell System Technical
///         Journal 1957; on bitmatrices, but greedily: J. Plank, The RAID-6 Liberation codes, FAST
///         2008, bit matrix scheduling.
Program row_differences(const Program& program, Random* random = nullptr);

}  // namespace xorloom
