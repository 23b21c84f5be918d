#pragma once

#include <cstddef>
#include <span>

#include "cli/measuring/prediction_error.hpp"
#include "runtime/plans/prediction.hpp"

namespace xorloom::cli {

/// Time of a call, with the work that it did.
struct TimedCall {
  std::size_t code;  ///< number of the code; its calls are left out of a fit together
  Level level;
  TileCounts counts;
  std::size_t chunks;
  double tiles;
  double seconds;
};

/// Fitted costs with their prediction error.
struct FittedCosts {
  CoreCosts costs;
  PredictionError error;
};

/// Fits the costs to measured calls by robust least squares: it minimises the squares of
/// log(predicted / measured), with less weight for outliers.
///
/// Counts of codes grow together, so no cost may vanish: each stays within a factor of 16 of its
/// first guess, and a weak penalty holds it near. The guess for an instruction, a load, a store and
/// a multiplication is the same: the least time per operation of any call in L1 or L2. The guess
/// for a byte moved in a level is the least time per byte of any call there, which is plain XOR.
///
/// The held-out error comes from cross-validation: every fifth code is left out in turn. The
/// overlap of computing and moving is the one with the least held-out error.
///
/// Shape: some calls are in L1 or L2. A level without calls gets the costs of the level before.
/// Cost:  some tenths of a second for 120 calls.
FittedCosts fit_costs(std::span<const TimedCall> calls);

}  // namespace xorloom::cli
