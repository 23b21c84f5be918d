#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/measuring/level_speeds.hpp"
#include "codes/code.hpp"
#include "runtime/engine/instruction_costs.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {

/// What one core of this machine takes for what a tile needs, found by timing codes of ours, all
/// but those that people ask for most: 4 + 2, 6 + 3, 10 + 4 and 28 + 4. It is kept in a file, so
/// that it is measured once.
struct MachineRates {
  struct Of {
    Isa isa;
    Arrangement arrangement;
    InstructionCosts l2;
    InstructionCosts l3;
    InstructionCosts memory;
  };
  std::string cpu;
  std::vector<Of> rates;
};

/// Where they are kept: xorloom/machine.json in XDG_CACHE_HOME, or else in ~/.cache; "" where
/// neither is set.
std::string rates_path();

/// Those that are kept of this processor; none of another or where the file is not whole.
MachineRates kept_rates();

/// The rates of an instruction set and an arrangement, or null.
const MachineRates::Of* find_rates(const MachineRates& rates, Isa isa, Arrangement arrangement);

/// The same, which where there are none are measured now, in some seconds, said on a terminal, and
/// kept if there is a place. Never fails for want of one.
const MachineRates::Of& measured_rates(MachineRates& rates, Isa isa, Arrangement arrangement);

/// GB/s of data that a tile's work comes to, and that its bytes alone would; none where some level
/// is said to take no time.
std::optional<LevelSpeeds> predicted_speeds(const MachineRates::Of& rates, const TileWork& work);
std::optional<LevelSpeeds> roof_speeds(const MachineRates::Of& rates, const TileWork& work);

}  // namespace xorloom::cli
