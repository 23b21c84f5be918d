#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/measuring/rounds.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom::cli {

/// Single calls of one kind.
struct NamedLatency {
  std::string name;
  std::size_t ink;  ///< the number of its color and marker
  Latency latency;
};

/// Which share of calls takes how long, with as much room for each nine: a small chart. The legend
/// has p50, p99 and p99.9 of each. Only those whose calls were timed are drawn, the first eight of
/// them; none: no chart.
std::optional<Picture> latency_curves(const std::string& title, const std::string& note,
                                      const std::vector<NamedLatency>& all);

}  // namespace xorloom::cli
