#pragma once

#include <cstddef>
#include <vector>

#include "codes/field/field.hpp"
#include "runtime/transforms/transform_passes.hpp"

namespace xorloom {

/// Inputs and outputs of decoding by transforms. A polynomial f of few terms has values at the
/// points 0 … N-1, some of them known. The lost points are the roots of a polynomial L. The product
/// f·L has the value f(i)·L(i) at a known point i, and 0 at a lost one. At a lost point l its
/// derivative is f(l)·L'(l).
struct DecodingShape {
  std::size_t points = 0;             ///< N, a power of two from 4 on
  std::vector<Field::Symbol> known;   ///< by point: L(i); 0: the value is lost, or is 0
  std::vector<Field::Symbol> wanted;  ///< by point: 1/L'(l); 0: not wanted
};

/// Replaces each symbol of `shape` that is not 0 by its factor.
///
/// Shape: is_zero: by point where f is known to be 0. Points that are neither known nor 0 are lost.
///        Wanted points are lost.
/// Cost:  O(known or wanted points · lost points) field operations.
DecodingShape with_factors(const Field& field, DecodingShape shape,
                           const std::vector<bool>& is_zero);

/// The transforms from the known values to the wanted ones. With Cantor's basis the derivative adds
/// coefficient i to each index that is i with one bit cleared. For bit b, that gives the same
/// between transforms of all levels as between transforms of the levels up to b. So each pass
/// upwards leaves its rows in a table of its own. The pass downwards over the same levels adds the
/// derivative of these rows, and transforms of the highest level are not computed at all.
///
///     inputs --kScaledInputs--> table 0 --kUp--> table 1 … --kTurn--> last table
///                                  :                :                    |
///     outputs <--kScaledOutputs----'-----------<----'--kDownDerived--<---'
///
/// Shape: max_levels is the most levels of a pass, 1 to 3. Inputs and outputs are by point.
TransformPasses decoding_passes(const DecodingShape& shape, std::size_t max_levels);

}  // namespace xorloom
