#include "runtime/engine/instruction_costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace xorloom {
namespace {

constexpr std::size_t kUnits = 5;
constexpr int kPasses = 10'000;

using Units = std::array<double, kUnits>;

Units counted(const TileCounts& counts) {
  const auto real = [](std::size_t count) { return static_cast<double>(count); };
  return {real(counts.instructions), real(counts.loads), real(counts.stores),
          real(counts.multiplications), real(bytes_of(counts))};
}

}  // namespace

std::size_t bytes_of(const TileCounts& counts) {
  return (counts.vectors_read + counts.vectors_written) * counts.vector_bytes;
}

InstructionCosts fit_instruction_costs(std::span<const TimedTile> tiles) {
  // Each tile is a row of counts over its time, which the times should bring to 1. One time after
  // the other takes its best value while the others stay.
  std::array<Units, kUnits> products{};
  Units sums{};
  for (const TimedTile& tile : tiles) {
    const Units counts = counted(tile.counts);
    for (std::size_t a = 0; a < kUnits; ++a) {
      sums[a] += counts[a] / tile.seconds;
      for (std::size_t b = 0; b < kUnits; ++b) {
        products[a][b] += counts[a] * counts[b] / (tile.seconds * tile.seconds);
      }
    }
  }
  Units best{};
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t a = 0; a < kUnits; ++a) {
      if (products[a][a] == 0) continue;
      double slope = sums[a];
      for (std::size_t b = 0; b < kUnits; ++b) slope -= products[a][b] * best[b];
      best[a] = std::max(0.0, best[a] + slope / products[a][a]);
    }
  }
  return {best[0], best[1], best[2], best[3], best[4]};
}

InstructionCosts between(const InstructionCosts& from, const InstructionCosts& to, double share) {
  return {std::lerp(from.instruction, to.instruction, share), std::lerp(from.load, to.load, share),
          std::lerp(from.store, to.store, share),
          std::lerp(from.multiplication, to.multiplication, share),
          std::lerp(from.byte, to.byte, share)};
}

double seconds_of(const InstructionCosts& units, const TileCounts& counts) {
  const Units of = counted(counts);
  return of[0] * units.instruction + of[1] * units.load + of[2] * units.store +
         of[3] * units.multiplication + of[4] * units.byte;
}

}  // namespace xorloom
