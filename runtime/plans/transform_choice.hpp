#pragma once

#include <memory>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/plan_options.hpp"

namespace xorloom {

/// The transforms that compute a map of a code on words, proved, where they take fewer instructions
/// than the rows of the map do. Null where the code has none, where rows are better, and where the
/// options ask for machine code or for an executor that needs equations.
std::unique_ptr<const Computation> transform_computation(const Code& code, const LinearMap& map,
                                                         const PlanOptions& options);

}  // namespace xorloom
