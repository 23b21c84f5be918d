#include "runtime/read_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "codes/error.hpp"
#include "runtime/open_file.hpp"
#include "runtime/opened_set.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

std::optional<std::size_t> number(const std::string& text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void check_named_once(std::span<const PlaceCost> costs) {
  std::set<std::string> named;
  for (const PlaceCost& cost : costs) {
    if (named.insert(cost.place).second) continue;
    fail(Status::kInvalidArgument,
         fmt::format("the cost of reading of {} is given twice", cost.place));
  }
}

}  // namespace

std::vector<std::uint64_t> costs_by_location(std::span<const PlaceCost> costs,
                                             std::size_t locations) {
  if (costs.empty()) return {};
  check_named_once(costs);
  std::vector<std::uint64_t> result(locations, 1);
  for (const PlaceCost& cost : costs) {
    const auto location = number(cost.place);
    if (!location || *location >= locations) {
      fail(Status::kInvalidArgument,
           fmt::format(
               "a cost of reading is given for {}, which is not one of the locations 0 to {}",
               cost.place, locations - 1));
    }
    result[*location] = cost.cost;
  }
  return result;
}

std::vector<std::uint64_t> costs_by_location(std::span<const PlaceCost> costs, const OpenedSet& set,
                                             std::span<const fs::path> directories) {
  check_named_once(costs);
  std::vector<PlaceCost> of_locations;
  std::vector<std::uint64_t> of_directories(set.code().locations, 1);
  for (const PlaceCost& cost : costs) {
    const bool is_directory = !number(cost.place) && std::ranges::any_of(directories, [&](auto& d) {
      return is_same_directory(d, cost.place);
    });
    if (!is_directory) {
      of_locations.push_back(cost);
      continue;
    }
    for (const ShardFile& shard : set.set().shards) {
      if (!is_same_directory(directory_of(shard.path), cost.place)) continue;
      of_directories[shard.header.location] = cost.cost;
    }
  }
  if (of_locations.size() == costs.size()) return costs_by_location(costs, set.code().locations);
  if (of_locations.empty()) return of_directories;
  const std::vector<std::uint64_t> named = costs_by_location(of_locations, set.code().locations);
  for (const PlaceCost& cost : of_locations) {
    const std::size_t location = *number(cost.place);
    of_directories[location] = named[location];
  }
  return of_directories;
}

}  // namespace xorloom
