#include "gen/vector/instruction_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

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
  using Word = std::uint64_t;

  explicit BitSums(const TileProgram& tile) : words_(tile.inputs.size() / 64 + 1) {}

  std::size_t words() const { return words_; }
  static void add_input(std::span<Word> sum, std::size_t input) {
    sum[input / 64] ^= Word{1} << input % 64;
  }
  static void multiply(std::span<Word> sum, Field::Symbol coefficient) {
    if (coefficient == 0) std::ranges::fill(sum, 0);
  }

 private:
  std::size_t words_;
};

/// Sums of inputs over a larger field, a coefficient for each.
class SymbolSums {
 public:
  using Word = Field::Symbol;

  explicit SymbolSums(const TileProgram& tile)
      : field_(tile.field), words_(tile.inputs.size() + 1) {}

  std::size_t words() const { return words_; }
  static void add_input(std::span<Word> sum, std::size_t input) { sum[input] ^= 1; }
  void multiply(std::span<Word> sum, Field::Symbol coefficient) const {
    scale_row(field_, sum, coefficient);
  }

 private:
  Field field_;
  std::size_t words_;
};

template <typename Word>
void add(std::span<Word> to, std::span<const Word> from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] ^= from[i];
}

/// The sums that a tile's outputs are.
template <typename Sums>
std::vector<std::vector<typename Sums::Word>> outputs_of(const TileProgram& tile,
                                                         const Sums& sums) {
  using Word = typename Sums::Word;
  std::vector<Word> values(tile.num_values() * sums.words());
  const auto value = [&](std::size_t v) {
    return std::span(values).subspan(v * sums.words(), sums.words());
  };
  std::vector<std::vector<Word>> outputs(tile.outputs.size());
  std::vector<Word> product;
  for (std::size_t i = 0; i < tile.inputs.size(); ++i) sums.add_input(value(i), i);
  for (std::size_t e = 0; e < tile.equations.size(); ++e) {
    const TileProgram::Equation& equation = tile.equations[e];
    const std::span<Word> sum = value(tile.value_of(e));
    for (const TileProgram::Term& term : equation.terms) {
      std::span<const Word> added = value(term.value);
      if (term.coefficient != 1) {
        product.assign(added.begin(), added.end());
        sums.multiply(product, term.coefficient);
        added = product;
      }
      add<Word>(sum, added);
    }
    if (equation.output != TileProgram::kNoOutput) {
      outputs[equation.output].assign(sum.begin(), sum.end());
    }
  }
  return outputs;
}

/// Registers, slots and cells while a schedule is computed; an empty sum is what was never written.
template <typename Sums>
class SymbolicRun {
 public:
  using Sum = std::vector<typename Sums::Word>;

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
    Sum& sum = cleared_result();
    const bool reads_a = in.op != Op::kLoad && in.op != Op::kZero;
    const bool reads_b = in.op == Op::kXor || in.op == Op::kXor3;
    if (in.op == Op::kLoad && !has_memory) return false;
    if (reads_a && !add(sum, registers_[in.a])) return false;
    if (in.op == Op::kXor3 && !add(sum, registers_[in.target])) return false;
    if (reads_b && !has_memory && !add(sum, registers_[in.b])) return false;
    if ((reads_b || in.op == Op::kLoad) && has_memory && !add(sum, in.memory)) return false;
    if (in.op == Op::kMultiply) sums_.multiply(sum, in.coefficient);
    std::swap(registers_[in.target], sum);
    if (in.target >= first_of_tables_) nibbles_.clear();
    return true;
  }

 private:
  /// The registers of products by tables hold nothing else from then on.
  bool split(const InstructionSchedule::Instruction& in) {
    const bool has_memory = in.memory.kind != Kind::kNowhere;
    Sum& sum = cleared_result();
    if (!(has_memory ? add(sum, in.memory) : add(sum, registers_[in.a]))) return false;
    for (std::size_t r = first_of_tables_; r < registers_.size(); ++r) registers_[r].clear();
    std::swap(nibbles_, sum);
    return true;
  }
  bool look_up(const InstructionSchedule::Instruction& in) {
    if (nibbles_.empty() || in.target >= first_of_tables_) return false;
    result_ = nibbles_;
    sums_.multiply(result_, in.coefficient);
    if (in.op == Op::kAddProduct && !add(result_, registers_[in.target])) return false;
    std::swap(registers_[in.target], result_);
    return true;
  }

  Sum& cleared_result() {
    result_.assign(sums_.words(), 0);
    return result_;
  }
  static bool add(Sum& to, const Sum& from) {
    if (from.empty()) return false;
    xorloom::add<typename Sums::Word>(to, from);
    return true;
  }
  Sum* written(InstructionSchedule::Memory memory) {
    if (memory.kind == Kind::kOutput && memory.index < outputs_.size()) {
      return &outputs_[memory.index];
    }
    if (memory.kind == Kind::kSlot && memory.index < slots_.size()) return &slots_[memory.index];
    return nullptr;
  }
  bool add(Sum& to, InstructionSchedule::Memory memory) {
    if (memory.kind == Kind::kInput && memory.index < num_inputs_) {
      sums_.add_input(to, memory.index);
      return true;
    }
    const Sum* from = written(memory);
    return from != nullptr && add(to, *from);
  }

  Sums sums_;
  std::vector<Sum> registers_;
  std::vector<Sum> slots_;
  std::vector<Sum> outputs_;
  std::size_t num_inputs_;
  std::uint64_t symbols_;
  std::size_t first_of_tables_;  ///< of the registers that products by tables take
  Sum nibbles_;                  ///< of which value they are; empty: of none
  Sum result_;                   ///< of the instruction that runs
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
