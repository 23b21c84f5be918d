#pragma once

#include <string>
#include <vector>

#include "cli/measuring/machine_rates.hpp"
#include "cli/report/report.hpp"

namespace xorloom::cli {

/// A machine of a --rates file.
struct GivenMachine {
  std::string name;  ///< the file's stem; "machine 2" if long or not unique
  std::string path;
  MachineRates rates;
};

/// Reads a machine from each file of `paths`. Errors: as rates_in.
std::vector<GivenMachine> given_machines(const std::vector<std::string>& paths);

/// Predicts the speeds of all sets on this machine and on `machines`. If `measures`, missing rates
/// of this machine are measured first; else the speeds that need them stay unset. A machine of
/// `machines` without rates for any set is named in `report.left_out`.
void predict(Report& report, bool measures, const std::vector<GivenMachine>& machines);

}  // namespace xorloom::cli
