#include "gen/vector/prefetched_lines.hpp"

#include <algorithm>
#include <cstdint>

namespace xorloom {
namespace {

/// Of the lines, the part that has to be read no more: an eighth.
constexpr std::size_t kLinesPerLineRead = 8;

std::vector<PrefetchedLine> lines_of(const TilePlaces& places, const MachineCodeOptions& options) {
  constexpr std::uint32_t kLine = 64;
  const std::uint32_t unit = options.is_by_halves ? 2 * kLine : kLine;
  std::vector<PrefetchedLine> lines;
  if (options.prefetch_bytes == 0) return lines;
  const auto add = [&](const std::vector<TilePlaces::Place>& some, bool are_outputs) {
    for (const TilePlaces::Place place : some) {
      lines.push_back({{place.stream, place.offset / unit * unit}, are_outputs});
    }
  };
  add(options.prefetched.value_or(places.inputs), false);
  const bool are_outputs_too = options.prefetches_outputs && !options.non_temporal;
  if (are_outputs_too && !options.prefetched) add(places.outputs, true);
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

/// The instruction by which a part of the inputs is read for the last time.
std::size_t first_after_reads(const InstructionSchedule& schedule, std::size_t num_inputs) {
  using Kind = InstructionSchedule::Memory::Kind;
  std::vector<std::size_t> last_read(num_inputs, 0);
  for (std::size_t i = 0; i < schedule.instructions.size(); ++i) {
    const InstructionSchedule::Memory memory = schedule.instructions[i].memory;
    if (memory.kind == Kind::kInput) last_read[memory.index] = i;
  }
  const std::size_t part = num_inputs / kLinesPerLineRead;
  if (part == 0) return 0;
  std::ranges::nth_element(last_read, last_read.begin() + static_cast<std::ptrdiff_t>(part));
  return last_read[part];
}

}  // namespace

PrefetchedLines::PrefetchedLines(const TilePlaces& places, const InstructionSchedule& schedule,
                                 const MachineCodeOptions& options)
    : lines_(lines_of(places, options)), end_(schedule.instructions.size()) {
  if (options.non_temporal || options.prefetched) return;
  begin_ = first_after_reads(schedule, places.inputs.size());
}

std::span<const PrefetchedLine> PrefetchedLines::before(std::size_t instruction) const {
  if (instruction < begin_) return {};
  const std::size_t at = instruction - begin_;
  const std::size_t all = end_ - begin_;
  const std::size_t first = at * lines_.size() / all;
  const std::size_t last = (at + 1) * lines_.size() / all;
  return {lines_.data() + first, last - first};
}

}  // namespace xorloom
