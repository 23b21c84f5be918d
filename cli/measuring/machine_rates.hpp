#pragma once

#include <string>

#include "cli/measuring/level_speeds.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "codes/code.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/plans/machine_rates.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {

/// The rates in a file, of this machine or another, with instruction sets that this one may lack.
///
/// Errors: throws kParse with the path if the file holds none; kIo if it cannot be read.
MachineRates rates_in(const std::string& path);

/// Keeps rates for later processes, if there is a place. Never fails for want of one.
void keep_rates(const MachineRates& rates);

/// The rates of an instruction set and an arrangement, which where there are none are measured now,
/// in less than half a minute, said on a terminal, and kept.
const MachineRates::Of& measured_rates(MachineRates& rates, Isa isa, Arrangement arrangement);

/// GB/s of data that a tile's work comes to where a stripe fills half of L1, half of L2, four times
/// L2, and memory; and that its bytes alone would, of which L1 has none.
LevelSpeeds predicted_speeds(const MachineRates::Of& rates, const CacheSizes& caches,
                             const TileWork& work);
LevelSpeeds roof_speeds(const MachineRates::Of& rates, const TileWork& work);

}  // namespace xorloom::cli
