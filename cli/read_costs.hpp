#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace xorloom::cli {

/// What reading costs at one place: a location's number, or whatever else a command takes.
struct ReadCost {
  std::string place;
  std::uint64_t cost;
};

/// --read-cost PLACE=N,…: N from 0 to kMostReadCost. `places` names them for the help: "LOC".
void add_read_costs(CLI::App& app, std::vector<ReadCost>& costs, const std::string& places,
                    const std::string& help);

/// What places that are locations' numbers cost, by location, 1 for those that are not named; empty where
/// none is.
///
/// Errors: throws kInvalidArgument for a place that is no location of so many, or is named twice.
std::vector<std::uint64_t> costs_by_location(const std::vector<ReadCost>& costs,
                                             std::size_t locations);

}  // namespace xorloom::cli
