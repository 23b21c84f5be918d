#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernels/word_kernel.hpp"

namespace xorloom {

// Interface of the kernels of additive Fourier transforms. Plain data only, as in word_kernel.hpp.

/// A block of 2^r rows of bytes, which one pass takes through r levels of a transform. Level t,
/// counted from the bottom, has 2^(r-1-t) constants c, one for each part of the block. All
/// butterflies of a part, each on a pair of rows, have its constant:
///
///     rows      0   1   2   3   4   5   6   7
///     level 0   `c0-'   `c1-'   `c2-'   `c3-'        inverse, upwards:  y += x, then x += c·y
///     level 1   `--c4---'       `--c5---'            downwards:         x += c·y, then y += x
///     level 2   `------c6-------'                    (also between 1 and 5, 2 and 6, 3 and 7)
///
/// `factors` holds the factors of the constants, c0 first, in the form of the kernel: see
/// WordFactors. If rows are scaled, the factors of the rows stand before them (inputs) or behind
/// them (outputs). A row of kSolved without an input becomes 0.
///
/// Row j of the derivative of a block is the sum of the rows whose number has one bit more than j:
///
///     row of the derivative   0          1      2      3  4      5  6  7
///     is the sum of           1, 2, 4    3, 5   3, 6   7  5, 6   7  7  nothing
struct TransformBlock {
  /// The rows that a pass reads and writes. By kind of the pass, each has a pointer of its own
  /// (`inputs`, `outputs`), or row i begins i·`step` bytes after `from` or `to`. If rows are
  /// scaled, a pointer may be null: an input of zeros, or an output that is not wanted.
  const std::uint8_t* const* inputs;
  std::uint8_t* const* outputs;
  const std::uint8_t* from;
  std::uint8_t* to;
  const std::uint8_t* derived;  ///< rows, `step` bytes apart, whose derivative is added; or null
  std::size_t step;

  /// Kinds that sum: number of tables read, and bytes from a table to the next one. The constants
  /// of the tables follow each other in `factors`, then those of the levels downwards. `adds`: the
  /// old sums are added, too.
  std::size_t tables;
  std::size_t table_bytes;
  bool adds;

  const std::uint8_t* factors;

  /// Number of consecutive blocks. If rows are summed, all blocks have the same constants. Else
  /// each has its own, and its rows, inputs and outputs follow those of the block before.
  std::size_t blocks;

  /// Kinds that sum: bytes between rows of sums, and from a block to the next in tables and in
  /// sums.
  std::size_t sum_step;
  std::size_t from_pitch;
  std::size_t sum_pitch;

  /// Kinds that sum strips whose inputs lie in memory: each block prefetches the second half of a
  /// later strip of `inputs_ahead` inputs. The passes from inputs prefetch the first half.
  std::size_t inputs_ahead;

  /// Bytes of each row. Rows at `from` and `to` are padded to whole units of unit_bytes.
  std::size_t bytes;

  /// Number of columns to skip in inputs, outputs and sums.
  std::size_t begin;

  /// Inputs are prefetched `ahead` bytes before they are read; 0: not at all. `is_far`: inputs lie
  /// in memory. Then registers of 64 bytes prefetch to L2, unless in strips. All others prefetch to
  /// L1.
  std::size_t ahead;
  bool is_far;

  /// True: outputs are stored past the caches. Precondition: they are aligned to 64 bytes.
  bool streams;
};

/// Kind of a pass: its direction, what it reads, and what it writes.
enum class TransformKind {
  kInputs,       ///< upwards, inputs to rows
  kInputsAdded,  ///< upwards, inputs added to rows
  kUp,           ///< upwards, rows to rows, which may be the same
  kSummed,       ///< upwards, rows of several tables, added up
  kSummedDown,   ///< as kSummed, then the sums downwards; the first constant of each level is 0
  kDown,         ///< downwards, rows to rows, which may be the same
  kDownZero,     ///< as kDown; the first constant of each level is 0
  kOutputs,      ///< downwards, rows to outputs
  kOutputsZero,
  kSolved,         ///< downwards, plus inputs, times their factors, upwards, rows to the same rows
  kScaledInputs,   ///< upwards, inputs times their factors to rows
  kTurn,           ///< up to the highest level of all, the derivative, and down, rows to other rows
  kDownDerived,    ///< downwards, rows with a derivative added to the same rows
  kScaledOutputs,  ///< downwards, rows, with a derivative added, times their factors to outputs
};
inline constexpr std::size_t kTransformKinds = 14;

inline constexpr std::size_t kMaxTransformLevels = 3;  ///< levels of one pass, at most

/// Columns of a strip.
inline constexpr std::size_t kStripBytes = 128;

using TransformPass = void (*)(const TransformBlock& block) noexcept;

/// Passes for symbols of one width.
struct TransformKernel {
  TransformPass pass[kMaxTransformLevels][kTransformKinds];  ///< by levels - 1, then by kind
  void (*add)(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) noexcept;
  FactorForm form;
  std::size_t max_levels;  ///< most levels of a pass that keeps all rows in registers
  std::size_t unit_bytes;  ///< rows are padded to a multiple of it
  bool has_strips;         ///< has fast passes from inputs for strips
};

/// Kernels for w = 8, and for w = 16 in planes of 32 bytes.
struct TransformKernelTable {
  TransformKernel bytes;
  TransformKernel planes;
};

}  // namespace xorloom
