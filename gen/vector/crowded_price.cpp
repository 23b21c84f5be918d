#include "gen/vector/crowded_price.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace xorloom {
namespace {

using Kind = InstructionSchedule::Memory::Kind;
using Place = TilePlaces::Place;

constexpr std::size_t kStore = 2;
constexpr std::size_t kFill = 2;

std::size_t lines_missed(const InstructionSchedule& schedule, const TilePlaces& places) {
  std::array<std::vector<Place>, kCacheSets> sets;  // what was touched last comes last
  std::size_t missed = 0;
  for (const InstructionSchedule::Instruction& in : schedule.instructions) {
    const Kind kind = in.memory.kind;
    if (kind != Kind::kInput && kind != Kind::kOutput) continue;
    const Place place = (kind == Kind::kInput ? places.inputs : places.outputs)[in.memory.index];
    const Place line{place.stream, place.offset / kCacheLine};
    std::vector<Place>& set = sets[line.offset % kCacheSets];
    const auto found = std::ranges::find(set, line);
    if (found != set.end()) {
      set.erase(found);
    } else {
      ++missed;
      if (set.size() == kCacheWays) set.erase(set.begin());
    }
    set.push_back(line);
  }
  return missed;
}

}  // namespace

std::size_t crowded_price(const InstructionSchedule& schedule, const TilePlaces& places,
                          const VectorMachine& machine) {
  const ScheduleCost of = cost(schedule, machine);
  return of.loads + kStore * of.stores + kFill * lines_missed(schedule, places);
}

}  // namespace xorloom
