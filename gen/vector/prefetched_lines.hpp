#pragma once

#include <compare>
#include <vector>

#include "gen/vector/machine_code.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

/// A cache line that a turn of a kernel prefetches, so many bytes ahead.
struct PrefetchedLine {
  TilePlaces::Place place;  ///< its begin
  bool is_output;
  friend auto operator<=>(const PrefetchedLine&, const PrefetchedLine&) = default;
};

/// Each line of the inputs, and of the outputs where these go through the caches, once and in the
/// order of the addresses. None if nothing is to be prefetched.
///
/// By halves, the first of each two lines: the turn of the first halves prefetches that line, and
/// the other turn, half a line further, the line behind it.
std::vector<PrefetchedLine> prefetched_lines(const TilePlaces& places,
                                             const MachineCodeOptions& options);

}  // namespace xorloom
