#pragma once

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"
#include "runtime/transforms/transform_passes.hpp"

namespace xorloom {

/// A matrix times what a list of transforms computes: see TransformPasses::product.
///
/// The list is gone through from its end. What each row of a table counts for in the results is
/// known there, and each step says what the rows that it reads count for. So the cost depends on the
/// number of results, of which there may be few, and not on that of inputs.
Matrix transform_product(const Field& field, const Matrix& left, const TransformPasses& passes);

}  // namespace xorloom
