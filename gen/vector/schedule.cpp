#include "gen/vector/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/field/bitmatrix.hpp"
#include "gen/vector/register_assignment.hpp"

namespace xorloom {
namespace {

using Op = Schedule::Op;
using Kind = Schedule::Memory::Kind;

/// A sum of inputs and of inputs times factors: plane 0 are the inputs themselves, plane f those
/// times factor f. What is multiplied once is not multiplied again. It has a word also where a tile
/// has no input, so that the sum of nothing differs from an empty one, which was never written.
using Sum = std::vector<std::uint64_t>;

class Sums {
 public:
  explicit Sums(const TileProgram& tile)
      : inputs_(tile.inputs.size()), words_(inputs_ * (tile.factors.size() + 1) / 64 + 1) {}

  Sum zero() const { return Sum(words_); }
  Sum input(std::size_t input) const {
    Sum sum = zero();
    flip(sum, input);
    return sum;
  }
  static void add(Sum& to, const Sum& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] ^= from[i];
  }
  /// None if a product is in the sum already.
  std::optional<Sum> product(const Sum& sum, std::size_t factor) const {
    Sum result = zero();
    for (std::size_t bit = 0; bit < 64 * words_; ++bit) {
      if ((sum[bit / 64] >> bit % 64 & 1) == 0) continue;
      if (bit >= inputs_) return std::nullopt;
      flip(result, (factor + 1) * inputs_ + bit);
    }
    return result;
  }

 private:
  static void flip(Sum& sum, std::size_t bit) { sum[bit / 64] ^= std::uint64_t{1} << bit % 64; }
  std::size_t inputs_;
  std::size_t words_;
};

std::optional<std::vector<Sum>> outputs_of(const TileProgram& tile, const Sums& sums) {
  std::vector<Sum> values;
  std::vector<Sum> outputs(tile.outputs.size());
  for (std::size_t i = 0; i < tile.inputs.size(); ++i) values.push_back(sums.input(i));
  for (const TileProgram::Equation& equation : tile.equations) {
    Sum sum = sums.zero();
    for (const TileProgram::Term& term : equation.terms) {
      if (term.factor == 0) {
        Sums::add(sum, values[term.value]);
        continue;
      }
      const auto product = sums.product(values[term.value], term.factor - 1);
      if (!product) return std::nullopt;
      Sums::add(sum, *product);
    }
    if (equation.output != TileProgram::kNoOutput) outputs[equation.output] = sum;
    values.push_back(std::move(sum));
  }
  return outputs;
}

/// Registers, slots and cells while a schedule is computed; an empty sum is what was never written.
class Execution {
 public:
  Execution(const TileProgram& tile, const Schedule& schedule, const VectorMachine& machine)
      : sums_(tile),
        registers_(machine.registers),
        slots_(schedule.slots),
        outputs_(tile.outputs.size()),
        num_inputs_(tile.inputs.size()),
        num_factors_(tile.factors.size()) {}

  const Sums& sums() const { return sums_; }
  const std::vector<Sum>& outputs() const { return outputs_; }

  /// False if an instruction names what is not there, or reads what was never written.
  bool run(const Schedule::Instruction& in) {
    if (in.target >= registers_.size() || in.a >= registers_.size() || in.b >= registers_.size()) {
      return false;
    }
    const bool has_memory = in.memory.kind != Kind::kNowhere;
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
    if (in.op == Op::kMultiply) {
      if (in.factor >= num_factors_) return false;
      auto product = sums_.product(sum, in.factor);
      if (!product) return false;
      sum = std::move(*product);
    }
    registers_[in.target] = std::move(sum);
    return true;
  }

 private:
  static bool add(Sum& to, const Sum& from) {
    if (from.empty()) return false;
    Sums::add(to, from);
    return true;
  }
  Sum* written(Schedule::Memory memory) {
    if (memory.kind == Kind::kOutput && memory.index < outputs_.size()) {
      return &outputs_[memory.index];
    }
    if (memory.kind == Kind::kSlot && memory.index < slots_.size()) return &slots_[memory.index];
    return nullptr;
  }
  Sum read(Schedule::Memory memory) {
    if (memory.kind == Kind::kInput && memory.index < num_inputs_) return sums_.input(memory.index);
    const Sum* from = written(memory);
    return from == nullptr ? Sum{} : *from;
  }

  Sums sums_;
  std::vector<Sum> registers_;
  std::vector<Sum> slots_;
  std::vector<Sum> outputs_;
  std::size_t num_inputs_;
  std::size_t num_factors_;
};

}  // namespace

ScheduleCost cost(const Schedule& schedule) {
  ScheduleCost cost;
  for (const Schedule::Instruction& instruction : schedule.instructions) {
    ++cost.instructions;
    if (instruction.op == Op::kStore) {
      ++cost.stores;
    } else if (instruction.memory.kind != Kind::kNowhere) {
      ++cost.loads;
      if (instruction.op != Op::kLoad) ++cost.loads_within;
    }
  }
  return cost;
}

Schedule assign_registers(const TileProgram& tile, const VectorMachine& machine,
                          bool outputs_are_read_again) {
  Schedule schedule;
  RegisterAssignment(tile, machine, outputs_are_read_again, schedule).run();
  return schedule;
}

std::optional<std::string> find_disagreement(const Schedule& schedule, const TileProgram& tile,
                                             const VectorMachine& machine) {
  Execution execution(tile, schedule, machine);
  const auto expected = outputs_of(tile, execution.sums());
  if (!expected) return "a tile multiplies a product";
  for (std::size_t i = 0; i < schedule.instructions.size(); ++i) {
    if (execution.run(schedule.instructions[i])) continue;
    return fmt::format("instruction {} of {} reads what was never written, or writes elsewhere", i,
                       schedule.instructions.size());
  }
  for (std::size_t o = 0; o < expected->size(); ++o) {
    if (execution.outputs()[o] != (*expected)[o]) {
      return fmt::format("output {} of a schedule is not what its tile computes", o);
    }
  }
  return std::nullopt;
}

}  // namespace xorloom
