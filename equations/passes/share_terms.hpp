#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"

namespace xorloom {

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
