#include "gen/machines/prefetched_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

namespace xorloom {
namespace {

using Kind = InstructionSchedule::Memory::Kind;

/// Prefetching begins once an eighth of the inputs has been read for the last time.
constexpr std::size_t kLinesPerLineRead = 8;

/// Earliest and latest prefetch of a line before its first read, in hundredths of a turn. With 28 +
/// 4 and w = 8, lines prefetched earlier had left L1 again, and later ones were not there yet.
constexpr std::int64_t kEarliest = 45;
constexpr std::int64_t kLatest = 5;

/// A line and the time of its prefetch, in units after the start of a turn; negative: before it.
struct Timed {
  std::int64_t time;
  PrefetchedLine line;
};
constexpr std::int64_t kUnitsOfInstruction = 256;

std::vector<PrefetchedLine> lines_of(const TilePlaces& places, const InstructionSchedule& schedule,
                                     const MachineCodeOptions& options) {
  const std::uint32_t bytes = options.turns_of_tile != 1 ? 2 * kCacheLine : kCacheLine;
  std::vector<PrefetchedLine> lines;
  const auto add = [&](const std::vector<TilePlaces::Place>& some, bool are_outputs) {
    for (const TilePlaces::Place place : some) {
      lines.push_back({line_of(place, bytes), are_outputs});
    }
  };
  add(schedule.prefetched.value_or(places.inputs), false);
  const bool are_outputs_too = options.prefetches_outputs && !options.non_temporal;
  if (are_outputs_too && !schedule.prefetched) add(places.outputs, true);
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

/// The instruction by which 1/kLinesPerLineRead of the inputs have been read for the last time.
std::size_t first_after_reads(const InstructionSchedule& schedule, std::size_t num_inputs) {
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

/// Spreads prefetches evenly from instruction `begin` to `end`.
std::vector<Timed> spread(const std::vector<PrefetchedLine>& lines, std::size_t begin,
                          std::size_t end) {
  std::vector<Timed> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t after = ((i + 1) * (end - begin) + lines.size() - 1) / lines.size();
    result.push_back(
        {static_cast<std::int64_t>(begin + after - 1) * kUnitsOfInstruction, lines[i]});
  }
  return result;
}

/// Lines of inputs in the order of their first reads in a turn, with the times of these.
std::vector<Timed> first_reads(const TilePlaces& places, const InstructionSchedule& schedule) {
  std::set<TilePlaces::Place> known;
  std::vector<Timed> reads;
  for (std::size_t i = 0; i < schedule.instructions.size(); ++i) {
    const InstructionSchedule::Memory memory = schedule.instructions[i].memory;
    if (memory.kind != Kind::kInput) continue;
    const TilePlaces::Place line = line_of(places.inputs[memory.index]);
    if (!known.insert(line).second) continue;
    reads.push_back({static_cast<std::int64_t>(i) * kUnitsOfInstruction, {line, false}});
  }
  return reads;
}

/// Times for prefetches that are at least `distance` apart, none of them too early. Empty if one
/// would be too late.
std::vector<Timed> times_apart(std::int64_t distance, std::int64_t turn,
                               const std::vector<Timed>& reads) {
  std::vector<Timed> result;
  for (const Timed& read : reads) {
    std::int64_t time = read.time - turn * kEarliest / 100;
    if (!result.empty()) time = std::max(time, result.back().time + distance);
    if (time > read.time - turn * kLatest / 100) return {};
    result.push_back({time, read.line});
  }
  return result;
}

/// Times for prefetches before each line's first read, at a rate that is as even as possible.
std::vector<Timed> before_reads(const std::vector<Timed>& reads, std::size_t num_instructions) {
  const std::int64_t turn = static_cast<std::int64_t>(num_instructions) * kUnitsOfInstruction;
  std::int64_t feasible = 0;
  std::int64_t infeasible = turn / std::max(std::int64_t{1}, std::ssize(reads)) + 1;
  while (infeasible - feasible > 1) {
    const std::int64_t middle = (feasible + infeasible) / 2;
    (times_apart(middle, turn, reads).empty() ? infeasible : feasible) = middle;
  }
  std::vector<Timed> result = times_apart(feasible, turn, reads);
  for (Timed& timed : result) {
    timed.line.is_ahead = timed.time < 0;
    if (timed.time < 0) timed.time += turn;
  }
  std::ranges::stable_sort(result, {}, &Timed::time);
  return result;
}

std::vector<Timed> timed_lines(const TilePlaces& places, const InstructionSchedule& schedule,
                               const MachineCodeOptions& options) {
  if (options.prefetch_bytes == 0) return {};
  const std::size_t end = schedule.instructions.size();
  if (options.non_temporal || schedule.prefetched)
    return spread(lines_of(places, schedule, options), 0, end);
  const bool are_of_next_turn =
      options.prefetch_bytes == options.stride && options.turns_of_tile == 1;
  if (are_of_next_turn && !options.prefetches_outputs) {
    return before_reads(first_reads(places, schedule), end);
  }
  const std::size_t begin = first_after_reads(schedule, places.inputs.size());
  return spread(lines_of(places, schedule, options), begin, end);
}

}  // namespace

PrefetchedLines::PrefetchedLines(const TilePlaces& places, const InstructionSchedule& schedule,
                                 const MachineCodeOptions& options)
    : ends_(schedule.instructions.size(), 0) {
  for (const auto& [time, line] : timed_lines(places, schedule, options)) {
    lines_.push_back(line);
    ++ends_[static_cast<std::size_t>(time / kUnitsOfInstruction)];
  }
  for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
}

std::span<const PrefetchedLine> PrefetchedLines::before(std::size_t instruction) const {
  const std::size_t first = instruction == 0 ? 0 : ends_[instruction - 1];
  return {lines_.data() + first, ends_[instruction] - first};
}

}  // namespace xorloom
