#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/machine_code.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

/// A cache line that a turn of a kernel prefetches, so many bytes ahead.
struct PrefetchedLine {
  TilePlaces::Place place;  ///< its begin
  bool is_output;
  friend auto operator<=>(const PrefetchedLine&, const PrefetchedLine&) = default;
};

/// Each line of the inputs, and of the outputs if these are prefetched, once and in the order of
/// the addresses. None if nothing is to be prefetched.
///
/// By halves, the first of each two lines: the turn of the first halves prefetches that line, and
/// the other turn, half a line further, the line behind it.
///
/// Through the caches, the first line is prefetched when a part of the turn's own lines is read no
/// more: before that, two tiles would have to fit the first cache. Past the caches, lines come from
/// farther away, and all of the turn is needed.
class PrefetchedLines {
 public:
  PrefetchedLines(const TilePlaces& places, const InstructionSchedule& schedule,
                  const MachineCodeOptions& options);

  /// Those whose prefetches stand before an instruction: spread evenly.
  std::span<const PrefetchedLine> before(std::size_t instruction) const;

 private:
  std::vector<PrefetchedLine> lines_;
  std::size_t begin_ = 0;  ///< the first instruction that may have some before it
  std::size_t end_ = 0;
};

}  // namespace xorloom
