#pragma once

#include <cstddef>
#include <span>

#include "cli/measuring/prediction_error.hpp"
#include "runtime/plans/core_costs.hpp"

namespace xorloom::cli {

/// How long a call took.
struct TimedCall {
  std::size_t code;  ///< a number of the code: calls of a code are left out of a fit together
  Level level;
  TileCounts counts;
  std::size_t chunks;
  double tiles;
  double seconds;
};

/// Costs, and how far they can be trusted.
struct FittedCosts {
  CoreCosts costs;
  PredictionError error;
};

/// The costs that explain best what calls took: the least sum of squares of the logarithms of
/// predicted over measured, where the few that are far off count for less.
///
/// No cost can vanish, though counts of codes grow together: each stays within a factor of 16 of a
/// first guess, and is held near it by as much as a tenth of a call that is off. The guess is taken
/// from the same calls: an instruction, a load, a store and a multiplication take equally long, as
/// the fastest of all tiles says; and bytes move as fast as in the code that moves them fastest in
/// that level, which is plain XOR.
///
/// The held-out error is found by leaving out every fifth code, in turn. The overlap of computing
/// and moving is the one that has the least of it.
///
/// Shape: some calls are in L1 or L2. A level that none is in keeps the costs of the level before.
/// Cost:  some tenths of a second for 120 calls.
FittedCosts fit_costs(std::span<const TimedCall> calls);

}  // namespace xorloom::cli
