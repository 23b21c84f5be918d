#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "gen/gpu/bit_sums.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/tile_order.hpp"

// A schedule for vector registers, written in a language that has no registers: what a register
// holds has a name.

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;
using Memory = InstructionSchedule::Memory;

/// The registers of a thread that hold values, the rest of its 128 being for pointers. The search
/// for orders takes a few milliseconds for each million of instructions.
constexpr std::size_t kRegisters = 63;
constexpr std::uint64_t kSearchedInstructions = 3'000'000;
/// Loads that compilers may do at once.
constexpr std::size_t kLoadsAtOnce = 2;
/// Registers for what compilers need beside values and pointers.
constexpr std::size_t kOtherOrderedRegisters = 12;

class ScheduleWriter {
 public:
  explicit ScheduleWriter(const BitSums& sums)
      : sums_(sums),
        lines_({kKernelWords, sums.program, sums.chunks, sums.planes}),
        registers_(64),
        loads_of_(sums.program.inputs.size() + sums.program.outputs.size()),
        outputs_(sums.program.outputs.size()) {}

  void write(const InstructionSchedule::Instruction& instruction) {
    std::string& target = registers_[instruction.target];
    const auto operand = [&] {
      return instruction.memory.kind == Memory::Kind::kNowhere ? registers_[instruction.b]
                                                               : read(instruction.memory);
    };
    switch (instruction.op) {
      case Op::kLoad:
        target = read(instruction.memory);
        break;
      case Op::kStore:
        store(instruction.memory, registers_[instruction.a]);
        break;
      case Op::kCopy:
        target = registers_[instruction.a];
        break;
      case Op::kZero:
        target = "0";
        break;
      case Op::kXor: {
        const std::string a = registers_[instruction.a];
        target = sum({a, operand()});
        break;
      }
      case Op::kXor3: {
        const std::string a = registers_[instruction.a];
        const std::string own = target;
        target = sum({own, a, operand()});
        break;
      }
      default:
        break;  // products: there are none over GF(2)
    }
  }

  std::string text() && { return std::move(lines_).text(); }
  std::size_t loads() const { return loads_; }

 private:
  std::string sum(const std::vector<std::string>& values) {
    std::string name = fmt::format("t{}", sums_written_++);
    lines_.line(fmt::format("const xl_vec {} = ", name),
                values.size() == 2 ? std::vector{values[0] + " ^", values[1] + ";"}
                                   : std::vector{fmt::format("xl_xor3({},", values[0]),
                                                 values[1] + ",", values[2] + ");"});
    return name;
  }

  std::string read(Memory memory) {
    if (memory.kind == Memory::Kind::kSlot) return slots_.at(memory.index);
    const bool is_input = memory.kind == Memory::Kind::kInput;
    if (!is_input && sums_.planes > 1) return outputs_[memory.index];
    const Program& program = sums_.program;
    const std::size_t cell = memory.index + (is_input ? 0 : program.inputs.size());
    const Element element = (is_input ? program.inputs : program.outputs)[memory.index];
    if (sums_.planes > 1) {
      lines_.load(element);
      return lines_.name(element);
    }
    if (loads_++ % kLoadsAtOnce == 0) lines_.keep_order();
    std::string name = lines_.name(element);
    if (loads_of_[cell]++ != 0) name += fmt::format("_{}", loads_of_[cell]);
    lines_.load_as(element, name);
    return name;
  }

  void store(Memory memory, const std::string& value) {
    if (memory.kind == Memory::Kind::kSlot) {
      slots_[memory.index] = value;
      return;
    }
    outputs_[memory.index] = value;
    const std::size_t first = memory.index / sums_.planes * sums_.planes;
    const std::vector<std::string> values(
        outputs_.begin() + static_cast<std::ptrdiff_t>(first),
        outputs_.begin() + static_cast<std::ptrdiff_t>(first + sums_.planes));
    if (std::ranges::find(values, "") == values.end()) {
      lines_.store_planes(sums_.program.outputs[first], values);
    }
  }

  const BitSums& sums_;
  LineWriter lines_;
  std::vector<std::string> registers_;
  std::vector<std::size_t> loads_of_;  ///< by cell: inputs, then outputs
  std::vector<std::string> outputs_;   ///< their values
  std::map<std::uint32_t, std::string> slots_;
  std::size_t sums_written_ = 0;
  std::size_t loads_ = 0;
};

}  // namespace

BitLines ordered_lines(const BitSums& sums) {
  const MachineFacts machine{.registers = kRegisters};
  const Program tile =
      ordered_tile(sums.program, machine, {.quick_instructions = kSearchedInstructions});
  const InstructionSchedule schedule = assign_registers(tile, machine, true);
  ScheduleWriter writer(sums);
  for (const InstructionSchedule::Instruction& instruction : schedule.instructions) {
    writer.write(instruction);
  }
  const std::size_t words = sums.vector_bytes / 4;
  const ScheduleCost work = cost(schedule, machine);
  BitLines result;
  result.price.instructions = work.operations() * words + 3 * sums.chunks.size();
  result.price.bytes =
      (std::max(writer.loads(), tile.inputs.size()) + tile.outputs.size()) * sums.vector_bytes;
  result.price.registers = (std::min(kRegisters, num_values(tile)) + schedule.slots) * words +
                           2 * std::min<std::size_t>(sums.chunks.size(), 16) +
                           kOtherOrderedRegisters;
  result.text = std::move(writer).text();
  return result;
}

}  // namespace xorloom
