#pragma once

#include <cstddef>
#include <cstdint>

namespace xorloom {

// Interface of the multiplying kernels of every instruction set. Plain data only: the kernels'
// translation units share no code that a linker could merge.

/// Rows that one kernel call computes at most.
constexpr std::size_t kMaxWordRows = 8;

/// An input cell of a group of rows.
struct WordSource {
  std::uint32_t location;
  std::uint32_t subchunk;
  std::uint32_t ones;  ///< bit r says that row r has the coefficient 1
};

/// Rows over the same input cells, for `bytes` bytes of their sub-chunks from `column` on. The
/// sources stand in three runs: those whose coefficients are all 1, those without a coefficient 1,
/// and the others. A coefficient of 0 has a factor that gives 0.
///
/// The factor of source s, the plain ones not counted, and row r is the (s·rows + r)-th of
/// factor_bytes each; see WordFactors.
struct WordBlock {
  const WordSource* sources;
  std::size_t num_plain;
  std::size_t num_without_ones;
  std::size_t num_sources;
  const std::uint8_t* factors;
  std::uint32_t reduction;  ///< x^w, reduced: the polynomial without its leading term
  /// Null unless the form is kCoefficient and the field has a basis of its own. Then w entries
  /// each: the elements of the basis as polynomials, and the symbols of 1, x, x^2, … Symbols become
  /// polynomials when they are loaded, and are back in the basis when they are stored.
  const std::uint32_t* basis;
  const std::uint32_t* powers_of_x;
  std::uint8_t* const* chunks;
  std::size_t subchunk_bytes;
  std::size_t column;
  std::size_t bytes;
  std::size_t rows;
  std::uint8_t* targets[kMaxWordRows];  ///< beginning of each row's output, column included

  /// True: adds the sums to the targets. False: overwrites the targets.
  bool adds;

  /// True: stores past the caches, in turns of many vectors. Precondition: targets are aligned to
  /// 64 bytes.
  bool streams;

  /// Prefetches `prefetch_ahead` bytes ahead of what is read; 0: not at all. The lines of a turn
  /// are cut into `parts` parts, of which `part` is prefetched.
  std::size_t prefetch_ahead;
  std::size_t part;
  std::size_t parts;
};

using CombineWords = void (*)(const WordBlock& block) noexcept;

/// Multiplies one input by one factor for each row; factors are adjacent. Each product is written
/// to its sum, or added if `adds`. `read` may be one of the sums.
using MultiplyWords = void (*)(const std::uint8_t* factors, const std::uint8_t* read,
                               std::uint8_t* const* sums, std::size_t bytes, bool adds) noexcept;

/// Form of the factors: see WordFactors.
enum class FactorForm { kCoefficient, kNibbles, kBits };

/// A kernel for symbols of one width. It takes any number of symbols, in turns of many vectors and,
/// for what is left over, in turns of few, the last of them part of a vector.
struct WordKernel {
  CombineWords combine[kMaxWordRows];    ///< by rows - 1, up to max_rows
  MultiplyWords multiply[kMaxWordRows];  ///< by rows - 1; null if there is none
  FactorForm form;
  std::size_t max_rows;
  std::size_t turn_bytes[kMaxWordRows];  ///< many vectors, by rows - 1; divides kTurnMultiple
};

constexpr std::size_t kTurnMultiple = 1536;

/// Bytes of the planes that kernels take: see Code::plane_bytes.
constexpr std::size_t kPlaneBytes = 32;

/// Kernels for w = 4, 8, 16 and 32, and for w = 16 in planes of 32 bytes.
struct WordKernelTable {
  WordKernel by_width[4];
  WordKernel planes;
};

}  // namespace xorloom
