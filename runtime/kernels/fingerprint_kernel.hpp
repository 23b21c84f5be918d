#pragma once

#include <cstddef>
#include <cstdint>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A polynomial over GF(2) of degree less than 128.
struct PolynomialSum {
  std::uint64_t low = 0;   ///< bit i: the coefficient of x^i
  std::uint64_t high = 0;  ///< bit i: the coefficient of x^(64 + i)

  friend bool operator==(const PolynomialSum&, const PolynomialSum&) = default;
};

/// Words of 64 bits, the lowest byte first, as they lie in memory: runs of words without gaps.
struct WordRuns {
  const std::uint8_t* begin;
  std::size_t run_words;  ///< in each run
  std::size_t runs;
  std::size_t stride;  ///< bytes from the beginning of a run to that of the next one
};

/// Bytes of a row of bits that SliceKernel writes: one bit of each of 512 symbols.
inline constexpr std::size_t kSliceBytes = 64;

/// Adds words times keys to a sum: polynomials over GF(2), products without reduction.
///
/// Shape: a key for each word, in the order of the words.
using ProductKernel = void (*)(const WordRuns& words, const std::uint64_t* keys,
                               PolynomialSum& sum) noexcept;

/// Takes symbols apart: row r gets bit r of each of 512 symbols, at the same place in every row.
/// Symbols of w bits lie one after the other in w lines of kSliceBytes bytes.
///
/// Shape: w is 4, 8, 16 or 32; stride is the number of bytes from a line to the next one.
using SliceKernel = void (*)(std::uint8_t* rows, const std::uint8_t* lines, std::size_t stride,
                             std::size_t w) noexcept;

/// Kernels that compute fingerprints. All of them write the same bytes.
struct FingerprintKernels {
  ProductKernel add_products;
  SliceKernel slice;
};

extern const FingerprintKernels kPortableFingerprints;

/// The kernels for `isa`. They are the portable ones, unless the machine is an x86 that multiplies
/// polynomials (PCLMULQDQ) and `isa` is not portable.
const FingerprintKernels& fingerprint_kernels(Isa isa);

}  // namespace xorloom
