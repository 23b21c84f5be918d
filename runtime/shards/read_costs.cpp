#include "runtime/shards/read_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "codes/text/error.hpp"
#include "equations/reads/fewest_reads.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/shards/opened_set.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

std::optional<std::size_t> number(const std::string& text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void fail_on_twice(const std::string& place) {
  fail(Status::kInvalidArgument, fmt::format("the read cost of {} is given twice", excerpt(place)));
}

/// `or_what`: end of the error message that says what else a place may be.
std::vector<std::uint64_t> costs_of_locations(std::span<const PlaceCost> costs,
                                              std::size_t locations, const char* or_what) {
  std::vector<std::uint64_t> result(locations, 1);
  std::set<std::size_t> named;
  for (const PlaceCost& cost : costs) {
    const auto location = number(cost.place);
    if (!location || *location >= locations) {
      fail(Status::kInvalidArgument,
           fmt::format("a read cost is given for {}, which is not one of the locations 0 to {}{}",
                       excerpt(cost.place), locations - 1, or_what));
    }
    if (!named.insert(*location).second) fail_on_twice(cost.place);
    result[*location] = cost.cost;
  }
  return result;
}

}  // namespace

std::vector<std::uint64_t> costs_by_location(std::span<const PlaceCost> costs,
                                             std::size_t locations) {
  if (costs.empty()) return {};
  return costs_of_locations(costs, locations, "");
}

std::vector<std::uint64_t> costs_by_location(std::span<const PlaceCost> costs, const OpenedSet& set,
                                             std::span<const fs::path> directories) {
  if (costs.empty()) return {};
  std::vector<PlaceCost> of_locations;
  std::vector<fs::path> named;
  std::vector<std::uint64_t> result(set.code().locations, 0);  // sums over all copies
  std::vector<bool> is_costed(set.set().shards.size());
  for (const PlaceCost& cost : costs) {
    const bool is_directory = !number(cost.place) && std::ranges::any_of(directories, [&](auto& d) {
      return is_same_directory(d, cost.place);
    });
    if (!is_directory) {
      of_locations.push_back(cost);
      continue;
    }
    for (const fs::path& other : named) {
      if (is_same_directory(other, cost.place)) fail_on_twice(cost.place);
    }
    named.emplace_back(cost.place);
    for (std::size_t i = 0; i < is_costed.size(); ++i) {
      const ShardFile& shard = set.set().shards[i];
      if (!is_same_directory(directory_of(shard.path), cost.place)) continue;
      is_costed[i] = true;
      result[shard.header.location] += cost.cost;
    }
  }
  for (std::size_t i = 0; i < is_costed.size(); ++i) {
    if (!is_costed[i]) ++result[set.set().shards[i].header.location];
  }
  const std::vector<std::uint64_t> own =
      costs_of_locations(of_locations, set.code().locations, " nor one of the directories");
  for (const PlaceCost& cost : of_locations) result[*number(cost.place)] = own[*number(cost.place)];
  for (std::uint64_t& cost : result) cost = std::min(cost, kMostReadCost);
  return result;
}

}  // namespace xorloom
