#pragma once

#include <functional>

#include "equations/ir/circuit.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {

/// The greedy common-pair circuit of a program: as long as some two values are added in more than
/// one equation, the pair that most of them have in common is computed once; of pairs that are
/// equally common one whose values are in few equations besides. What is left of an equation is
/// added as a balanced tree. Never more XORs than the program has.
///
/// An equation may read the target of another, so outputs can be made of outputs. Random, if given,
/// decides between pairs that are alike. Once stop_requested, if given, returns true, the pairs
/// found so far are all that is shared.
///
/// Memory: that of the equations. There are at most 12288 values, inputs included; what is left to
///         share then stays unshared.
/// Cost:   O(sum of the squares of the equations' lengths) to begin with. Then for each pair some
///         times O(values + equations of one value · their length).
/// Source: C. Paar, Optimized arithmetic for Reed-Solomon encoders, ISIT 1997; as grammar
///         compression: N. Larsson, A. Moffat, Offline dictionary-based compression, DCC 1999.
Circuit share_pairs(const Program& program, Random* random = nullptr,
                    const std::function<bool()>& stop_requested = {});

/// The program with common pairs of terms computed once: greedily, the pair that saves the most
/// XORs and multiplications first. Terms c·a and d·b are one pair wherever d/c is the same:
///
///     4 = 2·0 + 6·1 + 2        A = 0 + 3·1
///     5 = 0 + 3·1 + 7·3        4 = 2·A + 2     5 = A + 7·3
///
/// It serves any field; over GF(2) share_pairs does the same and is faster. In an MDS code's direct
/// equations no two rows have a pair in common; sums of LRC, SHEC and Clay codes do.
///
/// Never more XORs than the program has. It is left as it is where its equations have more than
/// kMostTermPairs pairs.
///
/// Cost:   O(pairs · log pairs), some 100 bytes each.
/// Source: as share_pairs, after C. Paar, Optimized arithmetic for Reed-Solomon encoders, ISIT
///         1997.
Program share_terms(const Program& program);

inline constexpr std::size_t kMostTermPairs = std::size_t{1} << 21;

}  // namespace xorloom
