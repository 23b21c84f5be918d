#include "cli/measuring/level_speeds.hpp"

#include <algorithm>
#include <limits>

namespace xorloom::cli {

std::vector<ChartBand> level_bands(const CacheSizes& caches,
                                   std::span<const std::size_t> locations) {
  const std::array sizes = {caches.l1, caches.l2, caches.l3};
  const auto fewest = static_cast<double>(*std::ranges::min_element(locations));
  const auto most = static_cast<double>(*std::ranges::max_element(locations));
  std::vector<ChartBand> bands;
  for (std::size_t i = 0; i < kNamedLevels.size(); ++i) {
    const double from = i == 0 ? 0 : static_cast<double>(sizes[i - 1]) / fewest;
    const double to = i == sizes.size() ? std::numeric_limits<double>::infinity()
                                        : static_cast<double>(sizes[i]) / most;
    if (from < to) bands.push_back({kNamedLevels[i].name, from, to});
  }
  return bands;
}

}  // namespace xorloom::cli
