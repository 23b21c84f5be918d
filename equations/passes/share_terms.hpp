#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Computes common pairs of terms once: greedily, the pair that saves the most XORs and
/// multiplications first. Terms c·a and d·b of equal ratio d/c are one pair:
///
///     4 = 2·0 + 6·1 + 2        A = 0 + 3·1
///     5 = 0 + 3·1 + 7·3        4 = 2·A + 2     5 = A + 7·3
///
/// Works over any field; over GF(2), share_pairs does the same and is faster. The direct equations
/// of an MDS code have no common pairs; sums of LRC, SHEC and Clay codes do.
///
/// Never more XORs than the program has. A program with more than kMostTermPairs pairs stays as it
/// is.
///
/// Cost:   O(pairs · log pairs), some 100 bytes each.
/// Source: as share_pairs, after C. Paar, Optimized arithmetic for Reed-Solomon encoders, ISIT
///         1997.
Program share_terms(const Program& program);

inline constexpr std::size_t kMostTermPairs = std::size_t{1} << 21;

}  // namespace xorloom
