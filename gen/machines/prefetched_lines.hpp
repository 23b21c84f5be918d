#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/lower.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

/// A cache line that a turn of a kernel prefetches.
struct PrefetchedLine {
  TilePlaces::Place place;  ///< its begin
  bool is_output;
  bool is_ahead = true;  ///< by the bytes of the options; else the turn itself reads it later
  friend auto operator<=>(const PrefetchedLine&, const PrefetchedLine&) = default;
};

/// Each line of the inputs, and of the outputs if these are prefetched, once. None if nothing is to
/// be prefetched.
///
/// By halves, the first of each two lines: the turn of the first halves prefetches that line, and
/// the other turn, half a line further, the line behind it.
///
/// Where inputs alone are prefetched, for the next turn, each line is prefetched a while before it
/// is first read, and late enough to be in the first cache still. The rate is as even as that
/// allows, as the second cache gives no more than a line every other cycle.
///
/// Otherwise they are spread evenly. Through the caches, the first line is prefetched when a part of
/// the turn's own lines is read no more: before that, two tiles would have to fit the first cache.
/// Past the caches, lines come from farther away, and all of the turn is needed.
class PrefetchedLines {
 public:
  PrefetchedLines(const TilePlaces& places, const InstructionSchedule& schedule,
                  const MachineCodeOptions& options);

  /// Those whose prefetches stand before an instruction.
  std::span<const PrefetchedLine> before(std::size_t instruction) const;

 private:
  std::vector<PrefetchedLine> lines_;  ///< in the order that they are prefetched in
  std::vector<std::size_t> ends_;      ///< by instruction: where the lines before it end
};

}  // namespace xorloom
