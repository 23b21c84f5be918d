#include "gen/machines/prefetched_lines.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;
using Kind = InstructionSchedule::Memory::Kind;

/// Loads sixteen inputs, and loads them all once more.
InstructionSchedule two_passes() {
  InstructionSchedule schedule;
  for (std::uint32_t i = 0; i < 32; ++i) {
    schedule.instructions.push_back(
        {.op = Op::kLoad, .target = 0, .memory = {Kind::kInput, i % 16}});
  }
  return schedule;
}

TilePlaces sixteen_lines() {
  TilePlaces places;
  places.streams = {{0, 0}};
  for (std::uint32_t i = 0; i < 16; ++i) places.inputs.push_back({0, 64 * i});
  return places;
}

/// Prefetches before each instruction.
std::vector<std::size_t> counts(const MachineCodeOptions& options) {
  const InstructionSchedule schedule = two_passes();
  const PrefetchedLines lines(sixteen_lines(), schedule, options);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < schedule.instructions.size(); ++i) {
    result.push_back(lines.before(i).size());
  }
  return result;
}

TEST_CASE("Through the caches, lines are prefetched once those of the tile are read no more") {
  MachineCodeOptions options{.stride = 1024, .prefetch_bytes = 1024};
  const std::vector<std::size_t> near = counts(options);
  std::size_t all = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    all += near[i];
    if (i < 16) CHECK(near[i] == 0);  // each line is read again
  }
  CHECK(all == 16);

  // Past the caches all of a turn is needed.
  options.non_temporal = true;
  std::vector<std::size_t> even;
  for (std::size_t i = 0; i < near.size(); ++i) even.push_back(i % 2);
  CHECK(counts(options) == even);

  options.prefetch_bytes = 0;
  CHECK(counts(options) == std::vector<std::size_t>(32, 0));
}

TEST_CASE("Inputs alone are prefetched shortly before they are read first") {
  // Reads eight lines four times, then eight others.
  TilePlaces places = sixteen_lines();
  InstructionSchedule schedule;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const std::uint32_t input = i < 32 ? i % 8 : i - 24;
    schedule.instructions.push_back(
        {.op = Op::kLoad, .target = 0, .memory = {Kind::kInput, input}});
  }
  MachineCodeOptions options{.stride = 1024, .prefetch_bytes = 1024};
  options.prefetches_outputs = false;
  const PrefetchedLines lines(places, schedule, options);
  std::vector<int> times(16);
  for (std::size_t i = 0; i < schedule.instructions.size(); ++i) {
    CHECK(lines.before(i).size() <= 2);  // one of this turn, one of the next
    for (const PrefetchedLine& line : lines.before(i)) {
      const std::size_t number = line.place.offset / 64;
      const std::size_t first_read = number < 8 ? number : number + 24;
      ++times[number];
      CHECK(line.is_ahead == (number < 8));
      const std::size_t until_read = first_read + (line.is_ahead ? 40 : 0) - i;
      CHECK(until_read >= 2);
      CHECK(until_read <= 18);
    }
  }
  CHECK(times == std::vector<int>(16, 1));
}

}  // namespace
}  // namespace xorloom
