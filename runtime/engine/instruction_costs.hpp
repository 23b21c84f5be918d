#pragma once

#include <cstddef>

#include "runtime/engine/tile_counts.hpp"

namespace xorloom {

/// What one core takes for each thing that a tile needs, where chunks lie in one level of memory.
/// Units: seconds.
///
/// A core computes while bytes move, so the longer of both counts most:
///
///   core   = instructions * instruction + loads * load + stores * store + …
///   moving = bytes read * byte_read + bytes written * byte_written
///   time   = (core^overlap + moving^overlap)^(1/overlap)
///
/// With an overlap of 1 that is their sum; the larger it is, the nearer it is to the longer one.
struct InstructionCosts {
  double instruction = 0;
  double load = 0;
  double store = 0;
  double multiplication = 0;
  double byte_read = 0;  ///< of chunks
  double byte_written = 0;
  double overlap = 1;

  friend bool operator==(const InstructionCosts&, const InstructionCosts&) = default;
};

/// The bytes of chunks that a tile reads and writes.
std::size_t bytes_of(const TileCounts& counts);

/// What lies between two, a share of the way from the first.
InstructionCosts between(const InstructionCosts& from, const InstructionCosts& to, double share);

/// What they say that a tile takes, and its two parts.
double seconds_of(const InstructionCosts& costs, const TileCounts& counts);
double core_seconds(const InstructionCosts& costs, const TileCounts& counts);
double moving_seconds(const InstructionCosts& costs, const TileCounts& counts);

}  // namespace xorloom
