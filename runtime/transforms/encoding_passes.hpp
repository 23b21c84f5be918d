#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/field/field.hpp"
#include "runtime/transforms/transform_passes.hpp"

namespace xorloom {

/// Inputs and outputs of encoding by transforms.
///
///   point    0 … M-1    M … 2M-1   2M … 3M-1   …
///   holds    outputs    group 0    group 1     …   of inputs
///
/// Missing inputs are 0. The outputs are the values at the points 0 … M-1 of a polynomial of few
/// terms that has the inputs as values at the other points.
struct EncodingShape {
  std::size_t points = 0;        ///< M, a power of two from 2 on
  std::vector<bool> has_input;   ///< by input: point M + j
  std::vector<bool> has_output;  ///< by output: up to M of them
};

/// Maximum rows that one step sums, over all its groups; a group with more rows is summed alone.
///
///   kRowsOfStrips      rows of strips take 1/4 of L1, and their inputs few entries of the TLB
///   kRowsOfFarStrips   for inputs in memory: a core follows fewer streams from there
///   kRowsOfTiles       for passes over whole tiles: the rows stay in L2
inline constexpr std::size_t kRowsOfStrips = 64;
inline constexpr std::size_t kRowsOfFarStrips = 32;
inline constexpr std::size_t kRowsOfTiles = 128;

/// The transforms from inputs to outputs. Each group of inputs that a step sums has a table, and
/// the sums have one. The step keeps the sums of the highest levels in registers over its groups.
/// After the last groups, it takes the sums down these levels before it stores them.
///
///     inputs of a group  --kInputs-->  table of the group  --kUp-->  the same          upwards
///     tables of groups  --kSummed, kSummedDown-->  sums
///     sums  --kDown-->  sums  --kOutputs-->  outputs                                   downwards
///
/// If one pass covers all levels, it adds each group of inputs to the sums directly.
///
/// Shape: max_levels is the most levels of a pass, 1 to 3. Input j of the passes is input j of the
///        shape. One step sums groups of up to `rows_at_once` rows together.
TransformPasses encoding_passes(const EncodingShape& shape, std::size_t max_levels,
                                std::size_t rows_at_once = kRowsOfStrips);

/// Encoding with all passes in strips, down to the outputs. The sums take the place of the first
/// table. Only outputs and rows that stay in L1 are stored. But outputs are written a few columns
/// at a time, which is slow if they are not in L2.
///
/// Returns: nullopt if one step cannot sum all groups, if one pass covers all levels, or if no
/// output is wanted.
std::optional<TransformPasses> encoding_passes_in_strips(const EncodingShape& shape,
                                                         std::size_t max_levels);

/// Inputs and outputs of recovering lost data by transforms. Transforms encode the data that is
/// left, with zeros for the e lost cells. Adding e stored outputs gives syndromes:
///
///     S(i) = Σ over lost cells l of d(l)·s(l) / (l + i)      s: 0 at the points 0 … M-1
///
/// The roots of Λ are the lost points and the outputs that are not stored. N = S·Λ is a polynomial
/// of fewer than M terms, and 0 at the outputs that are not stored. So transforms of N(0) … N(M-1)
/// give N(l) for the lost cells l of any group, and d(l) = N(l) / (s(l)·Λ'(l)).
///
/// Source: G. D. Forney, On decoding BCH codes, IEEE Trans. Inf. Theory 11(4), 1965.
struct RecoveringShape {
  EncodingShape data;                 ///< its outputs do not matter
  std::vector<Field::Symbol> stored;  ///< by output, M of them: Λ(i); 0: not stored
  std::vector<Field::Symbol> wanted;  ///< by data cell: 1/(s(l)·Λ'(l)); 0: not wanted
};

/// Replaces each symbol of `shape` that is not 0 by its factor.
///
/// Shape: the number of stored outputs is that of data cells without input; wanted cells have no
///        input.
RecoveringShape with_factors(const Field& field, RecoveringShape shape);

/// True if transforms can recover data: they need more than one pass.
bool may_recover(std::size_t points, std::size_t max_levels);

/// The transforms from data and stored outputs to wanted data.
///
///     tables of groups  --kSummedDown-->  sums  --kDown, kSolved, kUp-->  N, of all levels
///     N  --kDown-->  first table  --kScaledOutputs-->  wanted data of a group
///
/// Shape: inputs are data cells, filled up to whole groups, then outputs by point. Outputs are by
///        point: cell j is M + j.
TransformPasses recovering_passes(const RecoveringShape& shape, std::size_t max_levels,
                                  std::size_t rows_at_once = kRowsOfStrips);

}  // namespace xorloom
