#include "gen/vector/crowded_price.hpp"

#include <algorithm>
#include <vector>

namespace xorloom {
namespace {

using Kind = InstructionSchedule::Memory::Kind;
using Place = TilePlaces::Place;

constexpr std::size_t kStore = 2;
constexpr std::size_t kFill = 2;

std::size_t lines_missed(const InstructionSchedule& schedule, const TilePlaces& places,
                         const MachineFacts& machine) {
  // Lines of each set, least recently used first.
  std::vector<std::vector<Place>> sets(machine.cache_sets);
  std::size_t missed = 0;
  for (const InstructionSchedule::Instruction& in : schedule.instructions) {
    const Kind kind = in.memory.kind;
    if (kind != Kind::kInput && kind != Kind::kOutput) continue;
    const Place place = (kind == Kind::kInput ? places.inputs : places.outputs)[in.memory.index];
    const Place line = line_of(place);
    std::vector<Place>& set = sets[line.offset / kCacheLine % machine.cache_sets];
    const auto found = std::ranges::find(set, line);
    if (found != set.end()) {
      set.erase(found);
    } else {
      ++missed;
      if (set.size() == machine.cache_ways) set.erase(set.begin());
    }
    set.push_back(line);
  }
  return missed;
}

}  // namespace

std::size_t crowded_price(const InstructionSchedule& schedule, const TilePlaces& places,
                          const MachineFacts& machine) {
  const ScheduleCost of = cost(schedule, machine);
  return of.loads + kStore * of.stores + kFill * lines_missed(schedule, places, machine);
}

}  // namespace xorloom
