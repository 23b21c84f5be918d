#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace xorloom {

class OpenedSet;

/// Cost of reading at one place: a location's number, or a directory of shards.
struct PlaceCost {
  std::string place;
  std::uint64_t cost = 1;
};

/// Read costs by location, 1 if none is given; empty if `costs` is empty. See Repair::read_costs.
///
/// Errors: throws kInvalidArgument for a place that is not a location below `locations`, or is
///         named twice.
std::vector<std::uint64_t> costs_by_location(std::span<const PlaceCost> costs,
                                             std::size_t locations);

/// Read costs by location of a set. Here a place may also be one of `directories`: its cost goes
/// for all locations with a shard there, unless they are named themselves. All copies of a location
/// are read, so their costs add up.
std::vector<std::uint64_t> costs_by_location(std::span<const PlaceCost> costs, const OpenedSet& set,
                                             std::span<const std::filesystem::path> directories);

}  // namespace xorloom
