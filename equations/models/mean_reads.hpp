#pragma once

#include <cstddef>
#include <cstdint>

#include "codes/code.hpp"
#include "equations/reads/read_search.hpp"

namespace xorloom {

/// Repairs are planned for every location of a code of up to this many.
inline constexpr std::size_t kMostMeanReadLocations = 1024;

/// The search of `xorloom equations --reads min`: some hundredths of a second per location.
inline constexpr std::uint64_t kMeanReadWork = kUsualReadWork << 5;

/// Bytes read per byte rebuilt by a repair of one lost location that reads as little as
/// fewest_reads finds with that much work, as the mean over all locations.
///
/// Errors: throws kInvalidArgument if the code has more than kMostMeanReadLocations, and kDamaged
///         if it does not survive the loss of one location.
double mean_repair_reads(const Code& code, std::uint64_t work = kMeanReadWork);

}  // namespace xorloom
