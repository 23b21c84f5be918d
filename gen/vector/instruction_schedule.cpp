#include "gen/vector/instruction_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/field/matrix.hpp"
#include "gen/vector/register_assignment.hpp"

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;
using Kind = InstructionSchedule::Memory::Kind;

/// Sums of inputs over GF(2), a bit for each. There is a word also where a tile has no input, so
/// that the sum of nothing differs from an empty one, which was never written.
class BitSums {
 public:
  using Sum = std::vector<std::uint64_t>;

  explicit BitSums(const TileProgram& tile) : words_(tile.inputs.size() / 64 + 1) {}

  Sum zero() const { return Sum(words_); }
  Sum input(std::size_t input) const {
    Sum sum = zero();
    sum[input / 64] ^= std::uint64_t{1} << input % 64;
    return sum;
  }
  static void multiply(Sum& sum, Field::Symbol coefficient) {
    if (coefficient == 0) std::ranges::fill(sum, 0);
  }

 private:
  std::size_t words_;
};

/// Sums of inputs over a larger field, a coefficient for each.
class SymbolSums {
 public:
  using Sum = std::vector<Field::Symbol>;

  explicit SymbolSums(const TileProgram& tile)
      : field_(tile.field), symbols_(tile.inputs.size() + 1) {}

  Sum zero() const { return Sum(symbols_); }
  Sum input(std::size_t input) const {
    Sum sum = zero();
    sum[input] = 1;
    return sum;
  }
  void multiply(Sum& sum, Field::Symbol coefficient) const { scale_row(field_, sum, coefficient); }

 private:
  Field field_;
  std::size_t symbols_;
};

template <typename Sum>
void add(Sum& to, const Sum& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] ^= from[i];
}

template <typename Sums>
std::vector<typename Sums::Sum> outputs_of(const TileProgram& tile, const Sums& sums) {
  std::vector<typename Sums::Sum> values;
  std::vector<typename Sums::Sum> outputs(tile.outputs.size());
  for (std::size_t i = 0; i < tile.inputs.size(); ++i) values.push_back(sums.input(i));
  for (const TileProgram::Equation& equation : tile.equations) {
    auto sum = sums.zero();
    for (const TileProgram::Term& term : equation.terms) {
      if (term.coefficient == 1) {
        add(sum, values[term.value]);
        continue;
      }
      auto product = values[term.value];
      sums.multiply(product, term.coefficient);
      add(sum, product);
    }
    if (equation.output != TileProgram::kNoOutput) outputs[equation.output] = sum;
    values.push_back(std::move(sum));
  }
  return outputs;
}

/// Registers, slots and cells while a schedule is computed; an empty sum is what was never written.
template <typename Sums>
class SymbolicRun {
 public:
  using Sum = typename Sums::Sum;

  SymbolicRun(const TileProgram& tile, const InstructionSchedule& schedule,
              const VectorMachine& machine)
      : sums_(tile),
        registers_(machine.registers),
        slots_(schedule.slots),
        outputs_(tile.outputs.size()),
        num_inputs_(tile.inputs.size()),
        symbols_(tile.field.size()),
        first_of_tables_(machine.registers -
                         std::min(machine.registers, table_registers(machine))) {}

  const Sums& sums() const { return sums_; }
  const std::vector<Sum>& outputs() const { return outputs_; }

  /// False if an instruction names what is not there, or reads what was never written.
  bool run(const InstructionSchedule::Instruction& in) {
    if (in.target >= registers_.size() || in.a >= registers_.size() || in.b >= registers_.size()) {
      return false;
    }
    const bool has_memory = in.memory.kind != Kind::kNowhere;
    if (in.coefficient >= symbols_) return false;
    if (in.op == Op::kSplit) return split(in);
    if (in.op == Op::kProduct || in.op == Op::kAddProduct) return look_up(in);
    if (in.op == Op::kStore) {
      Sum* to = written(in.memory);
      if (to == nullptr || registers_[in.a].empty()) return false;
      *to = registers_[in.a];
      return true;
    }
    Sum sum = sums_.zero();
    const bool reads_a = in.op != Op::kLoad && in.op != Op::kZero;
    const bool reads_b = in.op == Op::kXor || in.op == Op::kXor3;
    if (in.op == Op::kLoad && !has_memory) return false;
    if (reads_a && !add(sum, registers_[in.a])) return false;
    if (in.op == Op::kXor3 && !add(sum, registers_[in.target])) return false;
    if (reads_b && !has_memory && !add(sum, registers_[in.b])) return false;
    if ((reads_b || in.op == Op::kLoad) && has_memory && !add(sum, read(in.memory))) return false;
    if (in.op == Op::kMultiply) sums_.multiply(sum, in.coefficient);
    set(in.target, std::move(sum));
    return true;
  }

 private:
  /// The registers of products by tables hold nothing else from then on.
  bool split(const InstructionSchedule::Instruction& in) {
    const bool has_memory = in.memory.kind != Kind::kNowhere;
    Sum nibbles = sums_.zero();
    if (!add(nibbles, has_memory ? read(in.memory) : registers_[in.a])) return false;
    for (std::size_t r = first_of_tables_; r < registers_.size(); ++r) registers_[r].clear();
    nibbles_ = std::move(nibbles);
    return true;
  }
  bool look_up(const InstructionSchedule::Instruction& in) {
    if (nibbles_.empty() || in.target >= first_of_tables_) return false;
    Sum product = nibbles_;
    sums_.multiply(product, in.coefficient);
    if (in.op == Op::kAddProduct && !add(product, registers_[in.target])) return false;
    registers_[in.target] = std::move(product);
    return true;
  }
  void set(std::size_t number, Sum sum) {
    registers_[number] = std::move(sum);
    if (number >= first_of_tables_) nibbles_.clear();
  }

  static bool add(Sum& to, const Sum& from) {
    if (from.empty()) return false;
    xorloom::add(to, from);
    return true;
  }
  Sum* written(InstructionSchedule::Memory memory) {
    if (memory.kind == Kind::kOutput && memory.index < outputs_.size()) {
      return &outputs_[memory.index];
    }
    if (memory.kind == Kind::kSlot && memory.index < slots_.size()) return &slots_[memory.index];
    return nullptr;
  }
  Sum read(InstructionSchedule::Memory memory) {
    if (memory.kind == Kind::kInput && memory.index < num_inputs_) return sums_.input(memory.index);
    const Sum* from = written(memory);
    return from == nullptr ? Sum{} : *from;
  }

  Sums sums_;
  std::vector<Sum> registers_;
  std::vector<Sum> slots_;
  std::vector<Sum> outputs_;
  std::size_t num_inputs_;
  std::uint64_t symbols_;
  std::size_t first_of_tables_;  ///< of the registers that products by tables take
  Sum nibbles_;                  ///< of which value they are; empty: of none
};

template <typename Sums>
std::optional<std::string> disagreement_over(const InstructionSchedule& schedule,
                                             const TileProgram& tile,
                                             const VectorMachine& machine) {
  SymbolicRun<Sums> run(tile, schedule, machine);
  const auto expected = outputs_of(tile, run.sums());
  for (std::size_t i = 0; i < schedule.instructions.size(); ++i) {
    if (run.run(schedule.instructions[i])) continue;
    return fmt::format("instruction {} of {} reads what was never written, or writes elsewhere", i,
                       schedule.instructions.size());
  }
  for (std::size_t o = 0; o < expected.size(); ++o) {
    if (run.outputs()[o] != expected[o]) {
      return fmt::format("output {} of a schedule is not what its tile computes", o);
    }
  }
  return std::nullopt;
}

/// What an operation takes that is written as several instructions.
ScheduleCost cost_of(const InstructionSchedule::Instruction& in, const VectorMachine& machine) {
  ScheduleCost cost;
  switch (in.op) {
    case Op::kSplit:  // a shift and two masks, which are in memory
      cost.instructions = 3;
      cost.loads = 2;
      break;
    case Op::kProduct:
    case Op::kAddProduct:  // two tables are loaded, shuffled and added
      cost.instructions = in.op == Op::kAddProduct && !machine.has_three_way_xor ? 6 : 5;
      cost.loads = 2;
      cost.loads_alone = 2;
      cost.products = 2;
      break;
    default:
      cost.instructions = 1;
      cost.stores = in.op == Op::kStore;
      cost.copies = in.op == Op::kCopy;
      cost.products = in.op == Op::kMultiply;
  }
  if (in.op == Op::kStore || in.memory.kind == Kind::kNowhere) return cost;
  ++cost.loads;
  if (in.op == Op::kLoad || in.op == Op::kSplit) ++cost.loads_alone;
  if (in.op == Op::kSplit) ++cost.instructions;
  return cost;
}

}  // namespace

ScheduleCost cost(const InstructionSchedule& schedule, const VectorMachine& machine) {
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

InstructionSchedule assign_registers(const TileProgram& tile, const VectorMachine& machine,
                                     bool outputs_are_read_again) {
  InstructionSchedule schedule;
  RegisterAssignment(tile, machine, outputs_are_read_again, schedule).run();
  return schedule;
}

std::size_t schedule_price(const TileProgram& tile, const VectorMachine& machine) {
  return cost(assign_registers(tile, machine, true), machine).total(instruction_work(machine));
}

std::optional<std::string> find_disagreement(const InstructionSchedule& schedule,
                                             const TileProgram& tile,
                                             const VectorMachine& machine) {
  return tile.field.w() == 1 ? disagreement_over<BitSums>(schedule, tile, machine)
                             : disagreement_over<SymbolSums>(schedule, tile, machine);
}

}  // namespace xorloom
