#include "gen/vector/stream_groups.hpp"

#include <algorithm>

namespace xorloom {
namespace {

/// Number of streams of the last group. Each of the `others` leaves one or two of the `ways` to
/// lines that pass. The last group shares the ways of a set with the outputs, so it takes half of
/// them if possible: of 8 ways, with 10 + 4 groups of 6 and 4 were a tenth faster than of 5 and 5.
std::size_t size_of_last(std::size_t streams, std::size_t others, std::size_t ways) {
  const std::size_t most = (ways - 1) * others;
  const std::size_t left = streams > most ? streams - most : 0;
  return std::max(left, std::min(ways / 2, streams - (ways - 2) * others));
}

/// Fewest outputs of a band. Smaller bands are joined: their sums fit the registers together.
constexpr std::size_t kFewestOutputs = 12;

std::vector<std::uint32_t> streams_of(const std::vector<TilePlaces::Place>& places) {
  std::vector<std::uint32_t> streams;
  for (const TilePlaces::Place place : places) streams.push_back(place.stream);
  std::ranges::sort(streams);
  streams.erase(std::unique(streams.begin(), streams.end()), streams.end());
  return streams;
}

/// First equation of each band, then the end of the last band.
std::vector<std::size_t> bounds_of_bands(const Program& tile) {
  const std::vector<std::uint32_t> output_of = outputs_by_equation(tile);
  std::vector<std::size_t> bounds{tile.equations.size()};
  std::size_t outputs = 0;
  std::size_t earliest_read = tile.equations.size();
  for (std::size_t e = tile.equations.size(); e-- > 0;) {
    if (output_of[e] != kNoOutput) ++outputs;
    for (const Operand& term : tile.equations[e].operands) {
      if (term.element < tile.inputs.size()) continue;
      earliest_read = std::min<std::size_t>(earliest_read, term.element - tile.inputs.size());
    }
    if (e != 0 && (outputs < kFewestOutputs || earliest_read < e)) continue;
    bounds.push_back(e);
    outputs = 0;
  }
  std::ranges::reverse(bounds);
  return bounds;
}

}  // namespace

std::optional<StreamGroups> stream_groups(const Program& tile, const TilePlaces& places,
                                          const MachineFacts& machine) {
  const std::vector<std::uint32_t> streams = streams_of(places.inputs);
  if (streams.size() < machine.cache_ways) return std::nullopt;  // as fast without groups
  StreamGroups result;
  result.number = streams.size() / (machine.cache_ways - 1) + 1;
  const std::size_t others = result.number - 1;
  const std::size_t in_others =
      streams.size() - size_of_last(streams.size(), others, machine.cache_ways);
  for (const TilePlaces::Place place : places.inputs) {
    const auto at = std::ranges::lower_bound(streams, place.stream) - streams.begin();
    const std::size_t group = static_cast<std::size_t>(at) * others / in_others;
    result.group_of_input.push_back(std::min(group, others));
  }
  const std::vector<std::size_t> bounds = bounds_of_bands(tile);
  const std::size_t bands = bounds.size() - 1;
  for (std::size_t group = 0; group < result.number; ++group) {
    for (std::size_t i = 0; i < bands; ++i) {
      const std::size_t band = group % 2 == 0 ? i : bands - 1 - i;
      result.parts.push_back({group, bounds[band], bounds[band + 1]});
    }
  }
  return result;
}

}  // namespace xorloom
