#pragma once

#include <string>
#include <vector>

#include "cli/measuring/machine_rates.hpp"
#include "cli/report/report.hpp"

namespace xorloom::cli {

/// A machine whose rates stand in a file.
struct GivenMachine {
  std::string name;  ///< the file's, without folder and ending; "machine 2" if long or not unique
  std::string path;
  MachineRates rates;
};

/// Errors: those of rates_in.
std::vector<GivenMachine> given_machines(const std::vector<std::string>& paths);

/// Predicts how fast sets run on this machine, if it was measured before or `measures`, which then
/// measures it; and on the given ones.
/// A given machine that has rates for none of the sets is left out, which the report then says.
void predict(Report& report, bool measures, const std::vector<GivenMachine>& machines);

}  // namespace xorloom::cli
