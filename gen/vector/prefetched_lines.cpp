#include "gen/vector/prefetched_lines.hpp"

#include <algorithm>

namespace xorloom {

std::vector<PrefetchedLine> prefetched_lines(const TilePlaces& places,
                                             const MachineCodeOptions& options) {
  constexpr std::uint32_t kLine = 64;
  const std::uint32_t unit = options.is_by_halves ? 2 * kLine : kLine;
  std::vector<PrefetchedLine> lines;
  if (options.prefetch_bytes == 0) return lines;
  const auto add = [&](const std::vector<TilePlaces::Place>& some, bool are_outputs) {
    for (const TilePlaces::Place place : some) {
      lines.push_back({{place.stream, place.offset / unit * unit}, are_outputs});
    }
  };
  add(options.prefetched.value_or(places.inputs), false);
  if (!options.non_temporal && !options.prefetched) add(places.outputs, true);
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace xorloom
