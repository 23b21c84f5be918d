#include "gen/source/source_parts.hpp"

#include <optional>

#include "equations/ir/live_slots.hpp"

namespace xorloom {
namespace {

std::vector<SourcePart> cut(const Program& program, std::size_t most_operands) {
  std::vector<SourcePart> parts;
  std::size_t operands = 0;
  for (std::size_t i = 0; i < program.equations.size(); ++i) {
    const std::size_t more = program.equations[i].operands.size();
    if (parts.empty() || operands + more > most_operands) {
      parts.push_back({i, i, {}, {}, {}, {}});
      operands = 0;
    }
    parts.back().last = i + 1;
    operands += more;
  }
  return parts;
}

}  // namespace

SourceParts split_into_parts(const Program& program, std::size_t most_operands) {
  SourceParts result{cut(program, most_operands), 0};
  const std::size_t end = program.end_of_elements();
  std::vector<bool> is_output(end);
  for (const Element output : program.outputs) is_output[output] = true;

  // By element: the part that assigns it, and the last part that reads it.
  std::vector<std::size_t> assigned(end, kNone);
  std::vector<std::size_t> last_read(end, kNone);
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    for (std::size_t i = result.parts[p].first; i < result.parts[p].last; ++i) {
      assigned[program.equations[i].target] = p;
      for (const Element operand : program.equations[i].operands) last_read[operand] = p;
    }
  }

  std::vector<std::optional<std::uint32_t>> slot(end);
  std::vector<std::size_t> known_to(end, kNone);  // the last part that loads or takes it
  LiveSlots slots;
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    SourcePart& part = result.parts[p];
    for (std::size_t i = part.first; i < part.last; ++i) {
      const Element target = program.equations[i].target;
      for (const Element operand : program.equations[i].operands) {
        if (assigned[operand] == p || known_to[operand] == p) continue;
        known_to[operand] = p;
        if (!slot[operand]) {
          part.loaded.push_back(operand);
        } else {
          part.taken.push_back({operand, *slot[operand]});
        }
      }
      if (is_output[target]) {
        part.stored.push_back(target);
      } else if (last_read[target] != kNone && last_read[target] > p) {
        slot[target] = slots.take();
        part.kept.push_back({target, *slot[target]});
      }
    }
    for (const KeptValue& value : part.taken) {
      if (last_read[value.element] == p) slots.release(value.slot);
    }
  }
  result.slots = slots.count();
  return result;
}

}  // namespace xorloom
