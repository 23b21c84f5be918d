#pragma once

#include <cstddef>

#include "codes/code.hpp"

namespace xorloom {

/// Repairs are planned for every location of a code of up to this many.
inline constexpr std::size_t kMostMeanReadLocations = 1024;

/// Bytes read per byte rebuilt by a repair of one lost location that reads as little as
/// fewest_reads finds, as the mean over all locations.
///
/// Errors: throws kInvalidArgument if the code has more than kMostMeanReadLocations, and kDamaged
///         if it does not survive the loss of one location.
double mean_repair_reads(const Code& code);

}  // namespace xorloom
