#pragma once

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// Hamming distance of two rows of a matrix.
std::size_t distance(const BitMatrix& matrix, std::size_t a, std::size_t b);

/// Rewrites each direct equation: it reads the inputs alone, or the target of another equation and
/// the inputs in which the two differ. Takes the choice with the fewest XORs, a minimum spanning
/// tree of the rows and zero. Unlike in common pairs, ones cancel here, which saves most in dense
/// matrices. Of equal choices, prefers inputs alone, or with `random` takes any.
///
/// Shape:  equations that read targets of others stay as they are.
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

/// Factors a matrix by elimination: `basis` holds the reduced rows, each with a pivot column of its
/// own. Pivots are sought from the last column to the first, or the other way.
/// Cost: O(rows² · columns / 64).
Factors factors_of(const BitMatrix& matrix, bool from_last = true);

/// Rewrites the direct equations in two stages: temporaries that are a basis of their rows
/// (factors_of), and the targets over these temporaries, as differences (row_differences).
///
/// This takes apart dense matrices that are an inverse times a sparse matrix, such as those of
/// decoding. There the last inputs are the redundancy, and the temporaries are syndromes, each a
/// redundant element plus the contribution of the known data.
///
/// Shape: equations that read targets of others stay as they are; temporaries are numbered from
///        end_of_elements().
Program factor_rows(const Program& program);

/// Rewrites a decoding: lost redundancy becomes a sum of data, rebuilt data included, if that takes
/// fewer operands than a sum of survivors. The program is then no longer direct, but a better start
/// for a search.
///
/// Shape: the program is over the bits or the symbols of the code.
///
/// Uses only data that the program reads or rebuilds already.
Program reuse_rebuilt(const Code& code, Program program);

}  // namespace xorloom
