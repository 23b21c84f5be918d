#include "gen/vector/crowded_schedule.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "gen/vector/grouped_tile.hpp"

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;
using Memory = InstructionSchedule::Memory;
using Kind = Memory::Kind;
using Instruction = InstructionSchedule::Instruction;
using Place = TilePlaces::Place;

/// A grouped kernel takes 1/16 less time than its price says, because it prefetches only the lines
/// of its first group. For 10 + 4 with w = 4 it is a tenth faster than other kernels with equal
/// numbers of loads and stores.
constexpr std::size_t kGroupsGain = 16;

/// Input lines of a set that are read in place: two ways are left for the stack and for lines that
/// pass. Of eight ways, five to seven were measured to be equally fast.
std::size_t staying(const MachineFacts& machine) { return machine.cache_ways - 2; }

/// True if slots on the stack take at most half of L1. More would crowd it.
bool has_few_slots(const InstructionSchedule& schedule, const MachineFacts& machine) {
  return schedule.slots * machine.vector_bytes <= machine.cache_bytes() / 2;
}

/// Registers as bits.
using Registers = std::uint64_t;
Registers bit(std::size_t number) { return Registers{1} << number; }
std::uint8_t any_of(Registers set) { return static_cast<std::uint8_t>(std::countr_zero(set)); }

Registers read_by(const Instruction& in) {
  const Registers b = in.memory.kind == Kind::kNowhere ? bit(in.b) : 0;
  switch (in.op) {
    case Op::kLoad:
    case Op::kZero:
    case Op::kProduct:
      return 0;
    case Op::kXor:
      return bit(in.a) | b;
    case Op::kXor3:
      return bit(in.target) | bit(in.a) | b;
    case Op::kAddProduct:
      return bit(in.target);
    case Op::kSplit:
      return in.memory.kind == Kind::kNowhere ? bit(in.a) : 0;
    default:
      return bit(in.a);
  }
}

Registers written_by(const Instruction& in) {
  return in.op == Op::kStore || in.op == Op::kSplit ? 0 : bit(in.target);
}

/// Number of registers that hold values of the tile; table registers hold looked-up products.
std::size_t registers_of_values(const InstructionSchedule& schedule, const MachineFacts& machine) {
  const bool has_tables = std::ranges::find(schedule.instructions, Op::kSplit, &Instruction::op) !=
                          schedule.instructions.end();
  return machine.registers - (has_tables ? machine.table_registers : 0);
}

/// Registers whose values are read no more: before each instruction, and at the end.
std::vector<Registers> dead_before(const std::vector<Instruction>& instructions,
                                   std::size_t registers) {
  const Registers all = registers < 64 ? bit(registers) - 1 : ~Registers{0};
  std::vector<Registers> dead(instructions.size() + 1, all);
  for (std::size_t i = instructions.size(); i-- > 0;) {
    const Instruction& in = instructions[i];
    dead[i] = dead[i + 1] | written_by(in);
    dead[i] &= ~read_by(in);
  }
  return dead;
}

/// Instructions, and others to be inserted before or after each.
class Edit {
 public:
  Edit(const std::vector<Instruction>& instructions, std::size_t registers)
      : instructions_(instructions),
        before_(instructions.size() + 1),
        after_(instructions.size()),
        dead_(dead_before(instructions, registers)) {}

  const Instruction& operator[](std::size_t i) const { return instructions_[i]; }
  Instruction& operator[](std::size_t i) { return instructions_[i]; }
  std::size_t size() const { return instructions_.size(); }
  Registers dead(std::size_t i) const { return dead_[i]; }

  /// Moves a vector through register `through`. Precondition: `through` is dead before instruction
  /// `i`.
  void move_before(std::size_t i, std::uint8_t through, Memory from, Memory to) {
    before_[i].push_back({Op::kLoad, through, 0, 0, 1, from});
    before_[i].push_back({Op::kStore, 0, through, 0, 1, to});
  }
  void store_after(std::size_t i, std::uint8_t number, Memory to) {
    after_[i].push_back({Op::kStore, 0, number, 0, 1, to});
  }

  std::vector<Instruction> result() const {
    std::vector<Instruction> all;
    const auto add = [&](const std::vector<Instruction>& some) {
      all.insert(all.end(), some.begin(), some.end());
    };
    for (std::size_t i = 0; i < size(); ++i) {
      add(before_[i]);
      all.push_back(instructions_[i]);
      add(after_[i]);
    }
    add(before_.back());
    return all;
  }

 private:
  std::vector<Instruction> instructions_;
  std::vector<std::vector<Instruction>> before_;
  std::vector<std::vector<Instruction>> after_;
  std::vector<Registers> dead_;
};

Memory new_slot(InstructionSchedule& schedule) {
  return {Kind::kSlot, static_cast<std::uint32_t>(schedule.slots++)};
}

/// Delays the stores of a line of output until its last vector is there; the others wait in slots.
void store_lines_together(InstructionSchedule& schedule, const TilePlaces& places,
                          std::size_t registers) {
  Edit edit(schedule.instructions, registers);
  std::map<Place, std::vector<std::size_t>> stores;
  for (std::size_t i = 0; i < edit.size(); ++i) {
    const Memory memory = edit[i].memory;
    if (edit[i].op != Op::kStore || memory.kind != Kind::kOutput) continue;
    stores[line_of(places.outputs[memory.index])].push_back(i);
  }
  for (const auto& [line, those] : stores) {
    std::size_t at = those.back() + 1;
    while (edit.dead(at) == 0) ++at;  // at the end all are dead
    for (std::size_t j = 0; j + 1 < those.size(); ++j) {
      const Memory slot = new_slot(schedule);
      const Memory output = std::exchange(edit[those[j]].memory, slot);
      edit.move_before(at, any_of(edit.dead(at)), slot, output);
    }
  }
  schedule.instructions = edit.result();
}

/// Makes instructions touch chosen lines of input at one point only.
class Carrier {
 public:
  Carrier(InstructionSchedule& schedule, std::size_t inputs, std::size_t registers)
      : schedule_(schedule), edit_(schedule.instructions, registers), reads_(inputs) {
    for (std::size_t i = 0; i < edit_.size(); ++i) {
      if (edit_[i].memory.kind == Kind::kInput) reads_[edit_[i].memory.index].push_back(i);
    }
  }

  void carry(const std::vector<std::uint32_t>& inputs) {
    std::size_t first = edit_.size();
    for (const std::uint32_t input : inputs) {
      if (!reads_[input].empty()) first = std::min(first, reads_[input].front());
    }
    if (first == edit_.size()) return;
    const Instruction in = edit_[first];
    // A register that the instruction writes and does not read is dead before it.
    const bool is_written_alone = in.op == Op::kLoad || (in.op == Op::kXor && in.target != in.a);
    std::size_t at = first;
    Registers dead = is_written_alone ? bit(in.target) : edit_.dead(at);
    while (dead == 0 && at > 0) dead = edit_.dead(--at);
    if (dead == 0) return;
    for (const std::uint32_t input : inputs) {
      if (input != in.memory.index && !reads_[input].empty()) move(input, at, any_of(dead));
    }
    if (reads_[in.memory.index].size() < 2) return;
    if (in.op != Op::kLoad) return move(in.memory.index, at, any_of(dead));
    const Memory slot = read_from_slot(in.memory.index, 1);
    edit_.store_after(first, in.target, slot);
  }

  void finish() { schedule_.instructions = edit_.result(); }

 private:
  void move(std::uint32_t input, std::size_t at, std::uint8_t through) {
    edit_.move_before(at, through, {Kind::kInput, input}, read_from_slot(input, 0));
  }

  /// Redirects read `from` and all later reads of `input` to a new stack slot, which it returns.
  Memory read_from_slot(std::uint32_t input, std::size_t from) {
    const Memory slot = new_slot(schedule_);
    for (std::size_t i = from; i < reads_[input].size(); ++i) {
      edit_[reads_[input][i]].memory = slot;
    }
    return slot;
  }

  InstructionSchedule& schedule_;
  Edit edit_;
  /// By input: the instructions that read it, ascending.
  std::vector<std::vector<std::size_t>> reads_;
};

/// Lines of a tile by the set that they fall into if all streams begin at a page.
std::map<std::size_t, std::set<Place>> lines_by_set(const std::vector<Place>& places,
                                                    const MachineFacts& machine) {
  std::map<std::size_t, std::set<Place>> lines;
  for (const Place place : places) {
    lines[place.offset / kCacheLine % machine.cache_sets].insert(line_of(place));
  }
  return lines;
}

/// True if a set has several lines of one stream.
bool has_rivals_in_stream(const std::set<Place>& lines) {
  return std::ranges::adjacent_find(lines, {}, &Place::stream) != lines.end();
}

/// True if some set has more lines than ways, and no set has several lines of one stream.
bool may_crowd(const TilePlaces& places, const MachineFacts& machine) {
  std::vector<Place> all = places.inputs;
  all.insert(all.end(), places.outputs.begin(), places.outputs.end());
  bool is_crowded = false;
  for (const auto& [set, lines] : lines_by_set(all, machine)) {
    if (has_rivals_in_stream(lines)) return false;
    is_crowded = is_crowded || lines.size() > machine.cache_ways;
  }
  return is_crowded;
}

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
    const Place line = line_of(place_of(places, in.memory));
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

std::optional<InstructionSchedule> crowded_schedule(const InstructionSchedule& given,
                                                    const TilePlaces& places,
                                                    const MachineFacts& machine) {
  if (!may_crowd(places, machine)) return std::nullopt;
  InstructionSchedule result = given;
  result.prefetched.emplace();
  const std::size_t registers = registers_of_values(given, machine);
  store_lines_together(result, places, registers);
  std::map<Place, std::vector<std::uint32_t>> inputs_of;
  for (std::uint32_t i = 0; i < places.inputs.size(); ++i) {
    inputs_of[line_of(places.inputs[i])].push_back(i);
  }
  Carrier carrier(result, places.inputs.size(), registers);
  for (const auto& [set, lines] : lines_by_set(places.inputs, machine)) {
    std::size_t number = 0;
    for (const Place line : lines) {
      if (number++ < staying(machine)) {
        result.prefetched->push_back(line);
      } else {
        carrier.carry(inputs_of[line]);
      }
    }
  }
  carrier.finish();
  if (!has_few_slots(result, machine)) return std::nullopt;
  return result;
}

std::optional<InstructionSchedule> grouped_schedule(const Program& tile, const TilePlaces& places,
                                                    const MachineFacts& machine, bool shares_anew) {
  const bool holds_lines = machine.holds_lines() && tile.field == gf2();
  if (!holds_lines || !may_crowd(places, machine)) return std::nullopt;
  const std::optional<StreamGroups> groups = stream_groups(tile, places, machine);
  if (!groups) return std::nullopt;
  const bool has_bands = groups->parts.size() > groups->number;
  if (!shares_anew && !has_bands) return std::nullopt;
  InstructionSchedule result =
      assign_registers(grouped_tile(tile, *groups, machine, shares_anew), machine, false);
  result.prefetched.emplace();
  if (!has_few_slots(result, machine)) return std::nullopt;
  for (const auto& [set, lines] : lines_by_set(places.inputs, machine)) {
    const std::size_t stay = std::min(lines.size(), staying(machine));
    std::copy_n(lines.begin(), static_cast<std::ptrdiff_t>(stay),
                std::back_inserter(*result.prefetched));
  }
  return result;
}

std::size_t crowded_price(const InstructionSchedule& schedule, const TilePlaces& places,
                          const MachineFacts& machine) {
  const ScheduleCost of = cost(schedule, machine);
  return of.loads + kStore * of.stores + kFill * lines_missed(schedule, places, machine);
}

std::vector<InstructionSchedule> crowded_schedules(const Program& tile, const TilePlaces& places,
                                                   const InstructionSchedule& past_caches,
                                                   const MachineFacts& machine, bool shares_anew) {
  const auto price = [&](const InstructionSchedule& schedule) {
    return crowded_price(schedule, places, machine);
  };
  auto grouped = grouped_schedule(tile, places, machine, shares_anew);
  auto carried = crowded_schedule(past_caches, places, machine);
  if (grouped && carried && shares_anew &&
      price(*grouped) > price(*carried) / kGroupsGain * (kGroupsGain + 1)) {
    grouped.reset();
  }
  std::vector<InstructionSchedule> schedules;
  if (grouped) schedules.push_back(*std::move(grouped));
  if (carried) schedules.push_back(*std::move(carried));
  return schedules;
}

}  // namespace xorloom
