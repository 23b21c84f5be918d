#pragma once

#include <cstddef>
#include <span>

#include "runtime/engine/tile_counts.hpp"

namespace xorloom {

/// What one of each thing that a tile needs adds to the time it takes, on one core, where chunks
/// lie in one level of memory. Units: seconds.
struct InstructionCosts {
  double instruction = 0;
  double load = 0;
  double store = 0;
  double multiplication = 0;
  double byte = 0;  ///< read or written of chunks

  friend bool operator==(const InstructionCosts&, const InstructionCosts&) = default;
};

/// How long a tile took.
struct TimedTile {
  TileCounts counts;
  double seconds;
};

/// The bytes of chunks that a tile reads and writes.
std::size_t bytes_of(const TileCounts& counts);

/// The times, none below zero, that explain what tiles took with the least sum of squares of the
/// parts by which they are off.
///
/// Cost: some ten thousand passes over five numbers for each.
InstructionCosts fit_instruction_costs(std::span<const TimedTile> tiles);

/// What lies between two, a share of the way from the first.
InstructionCosts between(const InstructionCosts& from, const InstructionCosts& to, double share);

/// What they say a tile takes.
double seconds_of(const InstructionCosts& units, const TileCounts& counts);

}  // namespace xorloom
