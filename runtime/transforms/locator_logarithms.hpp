#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/field/field.hpp"

namespace xorloom {

/// Evaluates polynomials L that are given by their roots, at the points 0 … N-1, which are symbols.
/// At a root the value is that of the derivative of L:
///
///     log L(i) = Σ over roots r ≠ i of log(r xor i)
///
/// A sum over r xor i is a product of Walsh transforms: that of the roots, and that of the
/// logarithms, which is made once. All are modulo q = 2^w - 1, where N has an inverse.
///
/// Source: F. Didier, Efficient erasure decoding of Reed-Solomon codes, arXiv:0901.1886, 2009.
class LocatorLogarithms {
 public:
  /// Shape: w is at most 16; points is a power of two up to 2^w.
  LocatorLogarithms(const Field& field, std::size_t points);

  /// Replaces 1 at each root and 0 elsewhere by log L(i) at each point i, from 0 to q - 1.
  ///
  /// Shape: one number for each point.
  /// Cost:  O(N log N) additions.
  void to_logarithms(std::span<std::int32_t> points) const noexcept;

 private:
  std::int32_t folded(std::int32_t sum) const noexcept;

  std::size_t w_;
  std::int32_t order_;                    ///< q
  std::int32_t inverse_;                  ///< inverse of N modulo q
  std::vector<std::int32_t> logarithms_;  ///< their Walsh transform, each from -q/2 to q/2
};

}  // namespace xorloom
