#pragma once

#include <string>
#include <vector>

#include "cli/shell/command.hpp"
#include "runtime/shards/read_costs.hpp"

namespace xorloom::cli {

/// Adds --read-cost PLACE=N,… with N from 0 to kMostReadCost. `places` is the word for a place in
/// help: "LOC".
void add_read_costs(Command& command, std::vector<PlaceCost>& costs, const std::string& places,
                    const std::string& help);

}  // namespace xorloom::cli
