#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace xorloom {

class OpenedSet;

/// What reading costs at one place: a location's number, or a directory of shards.
struct PlaceCost {
  std::string place;
  std::uint64_t cost = 1;
};

/// Costs by location, 1 where none is given; empty if none is at all. See Repair::read_costs.
///
/// Errors: throws kInvalidArgument for a place that is not one of that many locations, or is named
///         twice.
std::vector<std::uint64_t> costs_by_location(std::span<const PlaceCost> costs,
                                             std::size_t locations);

/// The same for a set, where a place may be one of the directories it was looked for in: what that
/// costs goes for all locations that have a shard there, unless they are named themselves. Of
/// several copies all are read, so that their costs add up.
std::vector<std::uint64_t> costs_by_location(std::span<const PlaceCost> costs, const OpenedSet& set,
                                             std::span<const std::filesystem::path> directories);

}  // namespace xorloom
