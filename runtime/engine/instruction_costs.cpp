#include "runtime/engine/instruction_costs.hpp"

#include <algorithm>
#include <cmath>

namespace xorloom {
namespace {

double real(std::size_t count) { return static_cast<double>(count); }

}  // namespace

std::size_t bytes_of(const TileCounts& counts) {
  return (counts.vectors_read + counts.vectors_written) * counts.vector_bytes;
}

InstructionCosts between(const InstructionCosts& from, const InstructionCosts& to, double share) {
  return {std::lerp(from.instruction, to.instruction, share),
          std::lerp(from.load, to.load, share),
          std::lerp(from.store, to.store, share),
          std::lerp(from.multiplication, to.multiplication, share),
          std::lerp(from.byte_read, to.byte_read, share),
          std::lerp(from.byte_written, to.byte_written, share),
          std::lerp(from.overlap, to.overlap, share)};
}

double core_seconds(const InstructionCosts& costs, const TileCounts& counts) {
  return real(counts.instructions) * costs.instruction + real(counts.loads) * costs.load +
         real(counts.stores) * costs.store + real(counts.multiplications) * costs.multiplication;
}

double moving_seconds(const InstructionCosts& costs, const TileCounts& counts) {
  return (real(counts.vectors_read) * costs.byte_read +
          real(counts.vectors_written) * costs.byte_written) *
         real(counts.vector_bytes);
}

double seconds_of(const InstructionCosts& costs, const TileCounts& counts) {
  const double core = core_seconds(costs, counts);
  const double moving = moving_seconds(costs, counts);
  const double longer = std::max(core, moving);
  if (longer == 0) return 0;
  // Of shares of the longer one, since a power of so few seconds may be too small for a number.
  const double sum =
      std::pow(core / longer, costs.overlap) + std::pow(moving / longer, costs.overlap);
  return longer * std::pow(sum, 1 / costs.overlap);
}

}  // namespace xorloom
