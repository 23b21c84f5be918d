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

/// A small chart of the share of calls that take at most a time, with the same room for each nine.
/// The legend has p50, p99 and p99.9 of each entry. Draws the first eight entries whose calls were
/// timed; nullopt: there are none.
std::optional<Picture> latency_curves(const std::string& title, const std::string& note,
                                      const std::vector<NamedLatency>& all);

}  // namespace xorloom::cli
