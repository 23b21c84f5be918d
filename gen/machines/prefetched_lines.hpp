#pragma once

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/lower.hpp"

namespace xorloom {

/// A cache line that a turn of a kernel prefetches.
struct PrefetchedLine {
  TilePlaces::Place place;  ///< start of the line
  bool is_output;
  bool is_ahead = true;  ///< prefetch_bytes ahead; false: this turn reads it later
  friend auto operator<=>(const PrefetchedLine&, const PrefetchedLine&) = default;
};

/// Lines that a turn prefetches: those that the schedule names, or else each line of the inputs
/// once, and of the outputs if these are prefetched. Empty if prefetch_bytes is 0.
///
/// If a turn computes half lines, only the first of each two lines is listed: the turn of the first
/// halves prefetches that line, and the other turn, half a line further, the line behind it.
///
/// If inputs alone are prefetched, for the next turn, each line is prefetched a while before it is
/// first read, and late enough to be in L1 still. The rate is as even as that allows, because L2
/// gives no more than a line every other cycle.
///
/// Otherwise lines are spread evenly. In kernels with ordinary stores, the first line is prefetched
/// when a part of the turn's own lines is read no more: before that, two tiles would have to fit
/// L1. With non-temporal stores, lines come from farther away, and all of the turn is needed.
class PrefetchedLines {
 public:
  PrefetchedLines(const TilePlaces& places, const InstructionSchedule& schedule,
                  const MachineCodeOptions& options);

  /// Lines whose prefetches come before an instruction.
  std::span<const PrefetchedLine> before(std::size_t instruction) const;

 private:
  std::vector<PrefetchedLine> lines_;  ///< in order of prefetching
  std::vector<std::size_t> ends_;      ///< by instruction: end in lines_ of the lines before it
};

}  // namespace xorloom
