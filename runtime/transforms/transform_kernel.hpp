#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/kernels/word_kernel.hpp"

namespace xorloom {

// What the kernels of additive Fourier transforms take. Plain data only, as in word_kernel.hpp.

/// A block of 2^r rows of bytes that one pass takes through r levels of a transform. Its butterflies
/// have constants c; of level t, from the bottom, there are 2^(r-1-t), each for the pairs of rows
/// of a part of the block:
///
///     rows      0   1   2   3   4   5   6   7
///     level 0   `c0-'   `c1-'   `c2-'   `c3-'        inverse, upwards:  y += x, then x += c·y
///     level 1   `--c4---'       `--c5---'            downwards:         x += c·y, then y += x
///     level 2   `------c6-------'                    (also between 1 and 5, 2 and 6, 3 and 7)
///
/// The factors of the constants, c0 first, are in the form of the kernel: see WordFactors. Where
/// rows are scaled, factors of the rows stand before them (inputs) or behind them (outputs). A row
/// that is solved becomes 0 if it has no input.
///
/// The derivative of a block has in row j the sum of the rows that differ from j in one bit which j
/// has not:
///
///     row of the derivative   0          1      2      3  4      5  6  7
///     is the sum of           1, 2, 4    3, 5   3, 6   7  5, 6   7  7  nothing
struct TransformBlock {
  /// Where rows come from and go to, by kind of the pass: each by a pointer of its own, or row i
  /// from the first on in steps of that many bytes. Where rows are scaled a pointer may be null: an
  /// input of zeros, or an output that nobody wants.
  const std::uint8_t* const* inputs;
  std::uint8_t* const* outputs;
  const std::uint8_t* from;
  std::uint8_t* to;
  const std::uint8_t* derived;  ///< rows in the same steps, whose derivative is added; or null
  std::size_t step;

  /// Where rows are summed: tables that follow each other, with their constants one after the
  /// other, those downwards behind them; and whether the rows of sums are added, too.
  std::size_t tables;
  std::size_t table_bytes;
  bool adds;

  const std::uint8_t* factors;

  /// Blocks that follow each other, with the same constants where rows are summed. Else each has
  /// constants of its own, and its rows, inputs and outputs follow those of the block before.
  std::size_t blocks;

  /// Where rows are summed: the steps of the rows of sums, and from a block to the next one.
  std::size_t sum_step;
  std::size_t from_pitch;
  std::size_t sum_pitch;

  /// Where rows of strips are summed that come from memory: each block prefetches the second half
  /// of a later strip of so many inputs, and the passes from inputs the first half of it.
  std::size_t inputs_ahead;

  /// Of each row. Rows in steps have whole units of unit_bytes, and may have some bytes more.
  std::size_t bytes;

  /// Columns of inputs, outputs and sums before the first one that is computed.
  std::size_t begin;

  /// How many bytes before they are read inputs are prefetched, or 0: none is. With registers of 64
  /// bytes, those that come from memory go to the second cache of a core, unless they are in strips.
  /// All others go to the first one.
  std::size_t ahead;
  bool is_far;

  /// Outputs are aligned to 64 bytes and stored past the caches.
  bool streams;
};

/// What a pass does.
enum class TransformKind {
  kInputs,       ///< upwards, inputs to rows
  kInputsAdded,  ///< upwards, inputs added to rows
  kUp,           ///< upwards, rows to rows, which may be the same
  kSummed,       ///< upwards, rows of several tables, added up
  kSummedDown,   ///< the same, then the sums downwards, where first constants are 0
  kDown,         ///< downwards, rows to the same rows
  kDownZero,     ///< the same, where the first constant of each level is 0
  kOutputs,      ///< downwards, rows to outputs
  kOutputsZero,
  kSolved,         ///< downwards, plus inputs, times their factors, upwards, rows to the same rows
  kScaledInputs,   ///< upwards, inputs times their factors to rows
  kTurn,           ///< up to the highest level of all, the derivative, and down, rows to other rows
  kDownDerived,    ///< downwards, rows with a derivative added to the same rows
  kScaledOutputs,  ///< downwards, rows, with a derivative added, times their factors to outputs
};
inline constexpr std::size_t kTransformKinds = 14;

inline constexpr std::size_t kMaxTransformLevels = 3;  ///< of a pass

/// Columns of a strip.
inline constexpr std::size_t kStripBytes = 128;

using TransformPass = void (*)(const TransformBlock& block) noexcept;

/// Passes for symbols of one width.
struct TransformKernel {
  TransformPass pass[kMaxTransformLevels][kTransformKinds];  ///< by levels - 1
  void (*add)(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) noexcept;
  FactorForm form;
  std::size_t max_levels;  ///< of a pass that leaves all rows in registers
  std::size_t unit_bytes;  ///< rows are padded to a multiple of it
  bool has_strips;         ///< passes from inputs are quick for strips
};

/// For w = 8, and for w = 16 in planes of 32 bytes.
struct TransformKernelTable {
  TransformKernel bytes;
  TransformKernel planes;
};

}  // namespace xorloom
