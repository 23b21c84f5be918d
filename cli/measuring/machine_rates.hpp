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

/// Reads the rates in a file, of this or another machine; they may be for instruction sets that
/// this machine lacks.
///
/// Errors: throws kParse with the path if the file holds no rates; kIo if it cannot be read.
MachineRates rates_in(const std::string& path);

/// Keeps rates for later processes; does nothing if there is no place for them or it cannot be
/// written.
void keep_rates(const MachineRates& rates);

/// Returns the rates for `isa` and `arrangement`. If `rates` has none, measures them, in less than
/// half a minute and with a line on a terminal, and keeps them.
const MachineRates::Of& measured_rates(MachineRates& rates, Isa isa, Arrangement arrangement);

/// Predicted speeds in GB/s of data for stripes of L1/2, L2/2, 4 * L2, and in memory; and the
/// roofs, as if only moving bytes took time (0: L1 has none).
LevelSpeeds predicted_speeds(const MachineRates::Of& rates, const CacheSizes& caches,
                             const PlanWork& work);
LevelSpeeds roof_speeds(const MachineRates::Of& rates, const PlanWork& work);

}  // namespace xorloom::cli
