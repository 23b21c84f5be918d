#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/field/field.hpp"
#include "runtime/transforms/transform_passes.hpp"

namespace xorloom {

/// What encoding by transforms takes and gives.
///
///   point    0 … M-1                  M … 2M-1   2M … 3M-1   …
///   holds    outputs, as many as are  group 0    group 1     …  of inputs; those that are not
///            wanted                                             there are 0
///
/// The outputs are the values that a polynomial of few terms has at the points 0 … M-1, if it has
/// the inputs as values at the others.
struct EncodingShape {
  std::size_t points = 0;        ///< M, a power of two from 2 on
  std::vector<bool> has_input;   ///< by input: point M + j
  std::vector<bool> has_output;  ///< by output: up to M of them
};

/// Rows of groups that are summed at once, unless one group has more. Strips of so many rows take a
/// quarter of the first cache of a core, and so many inputs few of the places of its page table.
/// A core follows fewer streams that come from memory. Where passes go through whole tiles, these
/// stay in the second cache.
inline constexpr std::size_t kRowsOfStrips = 64;
inline constexpr std::size_t kRowsOfFarStrips = 32;
inline constexpr std::size_t kRowsOfTiles = 128;

/// The transforms from inputs to outputs. There is a table for each of some groups of inputs, and
/// one for their sums. The sums of the highest levels stay in registers over these groups. After
/// the last groups they go down the same levels before they are stored.
///
///     inputs of a group  --kInputs-->  table of the group  --kUp-->  the same          upwards
///     tables of groups  --kSummed, kSummedDown-->  sums
///     sums  --kDown-->  sums  --kOutputs-->  outputs                                   downwards
///
/// Transforms of few levels have one pass upwards, and add inputs to sums at once.
///
/// Shape: max_levels is the most levels of a pass, 1 to 3. Input j of the passes is that of the
///        shape. Groups have up to rows_at_once rows together that are summed at once.
TransformPasses encoding_passes(const EncodingShape& shape, std::size_t max_levels,
                                std::size_t rows_at_once = kRowsOfStrips);

/// The same with all passes in strips, down to the outputs. The sums take the place of the first
/// table. Nothing is stored but outputs and what stays in the first cache of a core. But outputs
/// are written by few columns at a time, which is slow where they are not in the second cache.
///
/// Returns: none if not all groups are summed at once, if there is one pass upwards, or if no
/// output
///          is wanted.
std::optional<TransformPasses> encoding_passes_in_strips(const EncodingShape& shape,
                                                         std::size_t max_levels);

/// What recovering data by transforms takes and gives. The transforms encode the data left, with
/// zeros for the e cells that are lost. With e stored outputs added they are syndromes:
///
///     S(i) = Σ over lost cells l of d(l)·s(l) / (l + i)      s: 0 at the points 0 … M-1
///
/// Let Λ have as roots the lost points and the outputs that are not stored. N = S·Λ is a polynomial
/// of fewer than M terms, 0 at the outputs that are not stored. So N(l), with l in the group of
/// any lost cell, comes from transforms of N(0) … N(M-1), and d(l) = N(l) / (s(l)·Λ'(l)).
///
/// Source: G. D. Forney, On decoding BCH codes, IEEE Trans. Inf. Theory 11(4), 1965.
struct RecoveringShape {
  EncodingShape data;                 ///< its outputs do not matter
  std::vector<Field::Symbol> stored;  ///< by output, M of them: Λ(i); 0: not stored
  std::vector<Field::Symbol> wanted;  ///< by data cell: 1/(s(l)·Λ'(l)); 0: not wanted
};

/// A shape with its factors in place of the symbols that are not 0.
///
/// Shape: as many outputs are stored as data cells have no input; wanted ones are among these.
/// Cost:  O((stored + wanted) · (M + lost data)) field operations.
RecoveringShape with_factors(const Field& field, RecoveringShape shape);

/// Whether there are transforms that recover data: those of more than one pass.
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
