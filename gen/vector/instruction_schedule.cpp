#include "gen/vector/instruction_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "equations/ir/proof.hpp"

namespace xorloom {
namespace {

void sort_once(std::vector<std::size_t>& locations) {
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
}

/// Places of `elements` in each copy: place_of(i) in the first one, copy_bytes further in each
/// next.
template <typename PlaceOf>
std::vector<TilePlaces::Place> copied(const std::vector<Element>& elements, std::size_t copies,
                                      std::size_t copy_bytes, const PlaceOf& place_of) {
  std::vector<TilePlaces::Place> places;
  for (std::size_t copy = 0; copy < copies; ++copy) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto [stream, offset] = place_of(i);
      places.push_back({static_cast<std::uint32_t>(stream),
                        static_cast<std::uint32_t>(offset + copy * copy_bytes)});
    }
  }
  return places;
}

}  // namespace

TilePlaces packet_places(const Program& program, std::size_t copies, std::size_t packet_bytes,
                         std::size_t copy_bytes) {
  const std::vector<std::size_t> locations = locations_in_use(program);
  const auto places = [&](const std::vector<Element>& elements) {
    return copied(elements, copies, copy_bytes, [&](std::size_t i) {
      const auto stream = std::ranges::lower_bound(locations, elements[i] / program.rows);
      return std::pair(stream - locations.begin(), elements[i] % program.rows * packet_bytes);
    });
  };
  TilePlaces result{{}, places(program.inputs), places(program.outputs)};
  for (const std::size_t location : locations) {
    result.streams.push_back({static_cast<std::uint32_t>(location), 0});
  }
  return result;
}

TilePlaces word_places(const Program& program, std::size_t copies, std::size_t copy_bytes) {
  const auto places = [&](const std::vector<Element>& elements, std::size_t first) {
    return copied(elements, copies, copy_bytes,
                  [&](std::size_t i) { return std::pair(first + i, std::size_t{0}); });
  };
  TilePlaces result{{}, places(program.inputs, 0), places(program.outputs, program.inputs.size())};
  for (const std::vector<Element>* cells : {&program.inputs, &program.outputs}) {
    for (const Element cell : *cells) {
      result.streams.push_back({static_cast<std::uint32_t>(cell / program.rows),
                                static_cast<std::uint32_t>(cell % program.rows)});
    }
  }
  return result;
}

std::vector<std::size_t> locations_read(const Program& program) {
  std::vector<std::size_t> locations;
  for (const Element input : program.inputs) locations.push_back(input / program.rows);
  sort_once(locations);
  return locations;
}

std::vector<std::size_t> locations_in_use(const Program& program) {
  std::vector<std::size_t> locations = locations_read(program);
  for (const Element output : program.outputs) locations.push_back(output / program.rows);
  sort_once(locations);
  return locations;
}

namespace {

using Op = InstructionSchedule::Op;
using Kind = InstructionSchedule::Memory::Kind;

/// Reads the instructions of a schedule back as equations: the contents of registers, slots and
/// outputs are elements of a dense program.
class ReadBack {
 public:
  ReadBack(const Program& tile, const InstructionSchedule& schedule, const MachineFacts& machine)
      : program_(dense_without_equations(tile.inputs.size(), tile.outputs.size(), tile.field)),
        registers_(machine.registers),
        slots_(schedule.slots),
        outputs_(tile.outputs.size()),
        first_of_tables_(machine.registers - std::min(machine.registers, machine.table_registers)) {
    program_.equations.reserve(schedule.instructions.size() + outputs_.size());
  }

  /// False if an instruction names a place that does not exist, or reads one that was never
  /// written.
  bool read(const InstructionSchedule::Instruction& in) {
    if (in.target >= registers_.size() || in.a >= registers_.size() || in.b >= registers_.size()) {
      return false;
    }
    if (in.coefficient >= program_.field.size()) return false;
    const bool has_memory = in.memory.kind != Kind::kNowhere;
    const Held own = registers_[in.target];
    const Held a = registers_[in.a];
    const Held b = has_memory ? value_in(in.memory) : registers_[in.b];
    switch (in.op) {
      case Op::kLoad:
        return has_memory && put(in.target, b);
      case Op::kStore:
        return store(in.memory, a);
      case Op::kCopy:
        return put(in.target, a);
      case Op::kZero:
        return put(in.target, add_equation(program_, {}));
      case Op::kXor:
        return a && b && put(in.target, add_equation(program_, {{*a}, {*b}}));
      case Op::kXor3:
        return own && a && b && put(in.target, add_equation(program_, {{*own}, {*a}, {*b}}));
      case Op::kMultiply:
        return a && put(in.target, product(*a, in.coefficient));
      case Op::kSplit:
        return split(has_memory ? b : a);
      case Op::kProduct:
        return look_up(in, {});
      case Op::kAddProduct:
        return own && look_up(in, {{*own}});
    }
    return false;
  }

  /// The program of all instructions; nullopt if an output was never written.
  std::optional<Program> program() && {
    for (std::size_t o = 0; o < outputs_.size(); ++o) {
      if (!outputs_[o]) return std::nullopt;
      program_.outputs[o] = add_equation(program_, {{*outputs_[o]}});
    }
    return std::move(program_);
  }

 private:
  using Held = std::optional<Element>;  ///< nullopt: never written

  bool put(std::size_t number, Held value) {
    if (!value) return false;
    registers_[number] = value;
    if (number >= first_of_tables_) nibbles_.reset();
    return true;
  }

  Element product(Element value, Field::Symbol coefficient) {
    if (coefficient == 0) return add_equation(program_, {});
    return add_equation(program_, {{value, coefficient}});
  }

  /// Splits a value into the table registers, which lose all other values.
  bool split(Held value) {
    nibbles_ = value;
    std::fill(registers_.begin() + static_cast<std::ptrdiff_t>(first_of_tables_), registers_.end(),
              std::nullopt);
    return value.has_value();
  }

  bool look_up(const InstructionSchedule::Instruction& in, std::vector<Operand> sum) {
    if (!nibbles_ || in.target >= first_of_tables_) return false;
    if (in.coefficient != 0) sum.emplace_back(*nibbles_, in.coefficient);
    return put(in.target, add_equation(program_, std::move(sum)));
  }

  Held value_in(InstructionSchedule::Memory memory) const {
    const std::size_t i = memory.index;
    if (memory.kind == Kind::kInput) {
      return i < program_.inputs.size() ? Held(memory.index) : std::nullopt;
    }
    const std::vector<Held>& held = memory.kind == Kind::kSlot ? slots_ : outputs_;
    return i < held.size() ? held[i] : std::nullopt;
  }

  bool store(InstructionSchedule::Memory memory, Held value) {
    if (memory.kind != Kind::kSlot && memory.kind != Kind::kOutput) return false;
    std::vector<Held>& held = memory.kind == Kind::kSlot ? slots_ : outputs_;
    if (!value || memory.index >= held.size()) return false;
    held[memory.index] = value;
    return true;
  }

  Program program_;
  std::vector<Held> registers_;
  std::vector<Held> slots_;
  std::vector<Held> outputs_;
  std::size_t first_of_tables_;  ///< first register of those for products by tables
  Held nibbles_;                 ///< value whose nibbles the table registers hold
};

/// Cost of an operation, which may be several machine instructions.
ScheduleCost cost_of(const InstructionSchedule::Instruction& in, const MachineFacts& machine) {
  ScheduleCost cost;
  switch (in.op) {
    case Op::kSplit:  // a shift and two masks; or a shift that masks, and a mask
      cost.instructions = machine.reads_memory ? 3 : 2;
      break;
    case Op::kProduct:
    case Op::kAddProduct:  // two tables are loaded unless held, then shuffled and added
      cost.loads = machine.held_tables == 0 ? 2 : 0;
      cost.loads_alone = cost.loads;
      cost.products = 2;
      cost.instructions = cost.loads + cost.products +
                          (in.op == Op::kAddProduct && !machine.has_three_way_xor() ? 2 : 1);
      break;
    default:
      cost.instructions = 1;
      cost.stores = in.op == Op::kStore;
      cost.copies = in.op == Op::kCopy;
      cost.products = in.op == Op::kMultiply;
  }
  if (in.op == Op::kStore || in.memory.kind == Kind::kNowhere) return cost;
  ++cost.loads;
  const bool is_load = in.op == Op::kLoad;
  const bool is_alone = is_load || in.op == Op::kSplit || !machine.reads_memory;
  if (is_alone) ++cost.loads_alone;
  if (is_alone && !is_load) ++cost.instructions;
  return cost;
}

}  // namespace

ScheduleCost cost(const InstructionSchedule& schedule, const MachineFacts& machine) {
  ScheduleCost sum;
  for (const InstructionSchedule::Instruction& instruction : schedule.instructions) {
    const ScheduleCost one = cost_of(instruction, machine);
    sum.instructions += one.instructions;
    sum.loads += one.loads;
    sum.loads_alone += one.loads_alone;
    sum.stores += one.stores;
    sum.copies += one.copies;
    sum.products += one.products;
  }
  return sum;
}

std::size_t schedule_price(const Program& tile, const MachineFacts& machine) {
  return cost(assign_registers(tile, machine, true), machine).total(machine.work);
}

std::optional<std::string> find_disagreement(const InstructionSchedule& schedule,
                                             const Program& tile, const MachineFacts& machine) {
  ReadBack schedule_read(tile, schedule, machine);
  for (std::size_t i = 0; i < schedule.instructions.size(); ++i) {
    if (schedule_read.read(schedule.instructions[i])) continue;
    return fmt::format("instruction {} of {} reads what was never written, or writes elsewhere", i,
                       schedule.instructions.size());
  }
  const std::optional<Program> program = std::move(schedule_read).program();
  if (!program) return "an output of a schedule is never written";
  return find_disagreement(*program, tile);
}

}  // namespace xorloom
