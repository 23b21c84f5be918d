#include "gen/gpu/kernel_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "equations/search/optimize.hpp"
#include "gen/gpu/kernel_frame.hpp"
#include "gen/text/wrap.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/tile_order.hpp"

namespace xorloom {
namespace {

/// Most words of registers for sums that grow side by side.
constexpr std::size_t kMostAccumulators = 96;
/// Registers for pointers, loaded values and what compilers need.
constexpr std::size_t kOtherRegisters = 28;

/// Ranges of outputs that are computed together: whole cells.
std::vector<std::span<const Equation>> parts_of(const LineLayout& layout,
                                                std::size_t vector_bytes) {
  const std::size_t most = std::max(kMostAccumulators * 4 / vector_bytes, layout.planes);
  const std::span<const Equation> all(layout.program.equations);
  // Parts of about the same size.
  const std::size_t cells = all.size() / layout.planes;
  const std::size_t parts = (all.size() + most - 1) / most;
  std::vector<std::span<const Equation>> result;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t first = cells * p / parts * layout.planes;
    const std::size_t last = cells * (p + 1) / parts * layout.planes;
    result.push_back(all.subspan(first, last - first));
  }
  return result;
}

/// Writes the lines of a part. Adds the vectors that it moves to `price.bytes`, and its
/// instructions per word of a vector.
void write_part(LineWriter& lines, const LineLayout& layout, std::span<const Equation> part,
                KernelPrice& price) {
  std::map<Element, std::vector<Element>> readers;
  for (const Equation& equation : part) {
    for (const Element operand : equation.operands) readers[operand].push_back(equation.target);
    price.instructions += equation.operands.size() / 2;
  }
  std::set<Element> cells;
  std::size_t location = kNone;
  const std::size_t rows = layout.program.rows;
  for (const auto& [input, sums_of_input] : readers) {
    if (input / rows != location) lines.keep_order();
    location = input / rows;
    cells.insert(static_cast<Element>(input / layout.planes));
    const std::string name = lines.load(input);
    std::vector<LineWriter::Addition> additions;
    for (const Element sum : sums_of_input) additions.push_back({sum, {name}});
    lines.add(additions);
  }
  lines.keep_order();
  for (std::size_t first = 0; first < part.size(); first += layout.planes) {
    std::vector<std::string> values;
    for (const Equation& equation : part.subspan(first, layout.planes)) {
      values.push_back(equation.operands.empty() ? "0" : lines.name(equation.target));
    }
    lines.store_planes(part[first].target, values);
  }
  price.bytes += cells.size() * layout.planes + part.size();
}

// A schedule for vector registers, written in a language that has no registers: each value in a
// register has a name.

using Op = InstructionSchedule::Op;
using Memory = InstructionSchedule::Memory;

/// Registers of a thread that hold values: the rest of its 128 is for pointers. The search for
/// orders takes a few milliseconds for each million of instructions.
constexpr std::size_t kRegisters = 63;
constexpr std::uint64_t kSearchedInstructions = 3'000'000;
/// Number of loads that compilers may do at once.
constexpr std::size_t kLoadsAtOnce = 2;
/// Registers for what compilers need beside values and pointers.
constexpr std::size_t kOtherOrderedRegisters = 12;

class ScheduleWriter {
 public:
  explicit ScheduleWriter(const LineLayout& layout)
      : program_(layout.program),
        planes_(layout.planes),
        lines_(layout),
        registers_(64),
        outputs_(layout.program.outputs.size()) {}

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
      case Op::kXor:
        target = sum({registers_[instruction.a], operand()});
        break;
      case Op::kXor3:
        target = sum({target, registers_[instruction.a], operand()});
        break;
      default:
        break;  // products: there are none over GF(2)
    }
  }

  std::string text() && { return std::move(lines_).text(); }
  std::size_t loads() const { return loads_; }

 private:
  std::string sum(std::vector<std::string> values) {
    std::string name = fmt::format("t{}", sums_written_++);
    const bool is_of_three = values.size() == 3;
    if (is_of_three) values.front().insert(0, kKernelWords.sum_of_three);
    lines_.line(fmt::format("const xl_vec {} = ", name),
                is_of_three ? list_words(values, ",", ");") : list_words(values, " ^", ";"));
    return name;
  }

  std::string read(Memory memory) {
    if (memory.kind == Memory::Kind::kSlot) return slots_.at(memory.index);
    const bool is_input = memory.kind == Memory::Kind::kInput;
    if (!is_input && planes_ > 1) return outputs_[memory.index];
    const Element element = (is_input ? program_.inputs : program_.outputs)[memory.index];
    if (planes_ > 1) return lines_.load(element);
    if (loads_++ % kLoadsAtOnce == 0) lines_.keep_order();
    return lines_.load(element);
  }

  void store(Memory memory, const std::string& value) {
    if (memory.kind == Memory::Kind::kSlot) {
      slots_[memory.index] = value;
      return;
    }
    outputs_[memory.index] = value;
    const std::size_t first = memory.index / planes_ * planes_;
    const std::vector<std::string> values(
        outputs_.begin() + static_cast<std::ptrdiff_t>(first),
        outputs_.begin() + static_cast<std::ptrdiff_t>(first + planes_));
    if (std::ranges::find(values, "") == values.end()) {
      lines_.store_planes(program_.outputs[first], values);
    }
  }

  const Program& program_;
  std::size_t planes_;
  LineWriter lines_;
  std::vector<std::string> registers_;
  std::vector<std::string> outputs_;  ///< names of their values; "": not stored yet
  std::map<std::uint32_t, std::string> slots_;
  std::size_t sums_written_ = 0;
  std::size_t loads_ = 0;
};

/// Completes a draft that has lines to a kernel on packets.
KernelDraft on_packets(const KernelJob& job, KernelDraft draft) {
  draft.definitions = define_access(job.code);
  draft.place = place_of_vectors(job.code, job.vector_bytes);
  draft.kernel.item_columns = draft.price.columns = job.vector_bytes;
  return draft;
}

}  // namespace

KernelDraft accumulator_lines(const LineLayout& layout, std::size_t vector_bytes) {
  LineWriter lines(layout);
  KernelDraft result;
  std::size_t most = 0;
  const std::vector<std::span<const Equation>> parts = parts_of(layout, vector_bytes);
  for (const std::span<const Equation> part : parts) {
    if (parts.size() > 1) lines.open_part();
    write_part(lines, layout, part, result.price);
    if (parts.size() > 1) lines.close_part();
    most = std::max(most, part.size());
  }
  const std::size_t words = vector_bytes / 4;
  result.lines = std::move(lines).text();
  result.price.bytes *= vector_bytes;
  result.price.instructions = result.price.instructions * words + 3 * layout.chunks.size();
  result.price.registers =
      (most + (layout.planes > 1 ? layout.planes : 0)) * words + kOtherRegisters;
  return result;
}

KernelDraft ordered_lines(const LineLayout& layout, std::size_t vector_bytes) {
  const MachineFacts machine{.registers = kRegisters};
  const Budget budget{.quick_instructions = kSearchedInstructions};
  const Program tile = ordered_tile(layout.program, machine, budget);
  const InstructionSchedule schedule = assign_registers(tile, machine, true);
  ScheduleWriter writer(layout);
  for (const InstructionSchedule::Instruction& instruction : schedule.instructions) {
    writer.write(instruction);
  }
  const std::size_t words = vector_bytes / 4;
  const ScheduleCost work = cost(schedule, machine);
  KernelDraft result;
  result.price.instructions = work.operations() * words + 3 * layout.chunks.size();
  result.price.bytes =
      (std::max(writer.loads(), tile.inputs.size()) + tile.outputs.size()) * vector_bytes;
  result.price.registers = (std::min(kRegisters, num_values(tile)) + schedule.slots) * words +
                           2 * std::min<std::size_t>(layout.chunks.size(), 16) +
                           kOtherOrderedRegisters;
  result.lines = std::move(writer).text();
  return result;
}

KernelDraft accumulator_kernel(const KernelJob& job) {
  return on_packets(job,
                    accumulator_lines({kKernelWords, job.equations, job.chunks}, job.vector_bytes));
}

KernelDraft iterative_kernel(const KernelJob& job) {
  return on_packets(job,
                    ordered_lines({kKernelWords, job.equations, job.chunks}, job.vector_bytes));
}

bool has_temporaries(const Program& program) {
  return std::ranges::any_of(program.equations, [&](const Equation& equation) {
    return equation.target >= program.first_temporary();
  });
}

Program with_shared_sums(const Program& program) {
  return has_temporaries(program) ? program : optimize(program, {.effort = Effort::kQuick});
}

}  // namespace xorloom
