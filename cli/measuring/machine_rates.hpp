#pragma once

#include <string>
#include <vector>

#include "cli/measuring/core_costs.hpp"
#include "cli/measuring/level_speeds.hpp"
#include "cli/measuring/prediction_error.hpp"
#include "codes/code.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {

/// What one core of a machine takes for what a tile needs, found by timing codes there. It is kept
/// in a file, so that it is measured once.
struct MachineRates {
  struct Of {
    Isa isa;
    Arrangement arrangement;
    CoreCosts costs;
    PredictionError error;
  };
  std::string cpu;  ///< with its threads and its caches
  CacheSizes caches;
  std::vector<Of> rates;
};

/// Where those of this machine are kept: xorloom/machine.json in XDG_CACHE_HOME, or else in
/// ~/.cache; "" where neither is set.
std::string rates_path();

/// Those that are kept of this processor; none of another, of an earlier model, or where the file
/// is not whole.
MachineRates kept_rates();

/// The rates of an instruction set and an arrangement, or null.
const MachineRates::Of* find_rates(const MachineRates& rates, Isa isa, Arrangement arrangement);

/// The same, which where there are none are measured now, in less than half a minute, said on a
/// terminal, and kept if there is a place. Never fails for want of one.
const MachineRates::Of& measured_rates(MachineRates& rates, Isa isa, Arrangement arrangement);

/// GB/s of data that a tile's work comes to where a stripe fills half of L1, half of L2, four times
/// L2, and memory; and that its bytes alone would, of which L1 has none.
LevelSpeeds predicted_speeds(const MachineRates::Of& rates, const CacheSizes& caches,
                             const TileWork& work);
LevelSpeeds roof_speeds(const MachineRates::Of& rates, const TileWork& work);

}  // namespace xorloom::cli
