#pragma once

#include <cstddef>
#include <vector>

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
///        shape.
TransformPasses encoding_passes(const EncodingShape& shape, std::size_t max_levels);

}  // namespace xorloom
