#include "gen/vector/prefetched_lines.hpp"

#include <doctest/doctest.h>

#include <cstdint>

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
  places.streams = 1;
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

}  // namespace
}  // namespace xorloom
