#pragma once

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// The columns in which two rows of a matrix differ.
std::size_t distance(const BitMatrix& matrix, std::size_t a, std::size_t b);

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

/// A matrix as the product outer · basis.
struct Factors {
  BitMatrix outer;  ///< rows x rank
  BitMatrix basis;  ///< rank x columns
};

/// With the basis of the rows in which each has a column of its own, the pivots of elimination from
/// the last column to the first or the other way. Cost: O(rows² · columns / 64).
Factors factors_of(const BitMatrix& matrix, bool from_last = true);

/// A program in two stages: temporaries that are a basis of what its direct equations compute, and
/// these from the temporaries, as differences (row_differences).
///
/// Dense matrices that are an inverse times something sparse come apart so. Decoding is one: the
/// last inputs are the redundancy that is read, and the temporaries, each a redundant element plus
/// what the known data contribute to it, are known as syndromes.
///
/// Shape: equations that read others stay as they are; temporaries are numbered from
///        end_of_elements().
Program factor_rows(const Program& program);

/// A decoding in which lost redundancy is made of the data again, the rebuilt data included,
/// wherever that takes fewer operands than making it of what survives. What is computed stays the
/// same; the program is then no longer direct, but a better one to begin a search with.
///
/// Shape: the program is over the bits or the symbols of the code.
///
/// Only data that the program reads or rebuilds already are made use of.
Program reuse_rebuilt(const Code& code, Program program);

}  // namespace xorloom
