#include "gen/vector/crowded_price.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;
using Kind = InstructionSchedule::Memory::Kind;

constexpr MachineFacts kMachine{64, 32, 3};

/// Price of loading lines of one cache set, one of each of `streams` streams in turn, `times`
/// times.
std::size_t price(std::uint32_t streams, int times, std::uint32_t distance = 4096) {
  TilePlaces places;
  InstructionSchedule schedule;
  for (std::uint32_t s = 0; s < streams; ++s) places.inputs.push_back({s, s % 2 * distance});
  for (int t = 0; t < times; ++t) {
    for (std::uint32_t s = 0; s < streams; ++s) {
      schedule.instructions.push_back({Op::kLoad, 0, 0, 0, 1, {Kind::kInput, s}});
    }
  }
  return crowded_price(schedule, places, kMachine);
}

TEST_CASE("Lines that fit a set come from the second cache once") {
  CHECK(price(8, 1) == 8 + 2 * 8);
  CHECK(price(8, 3) == 24 + 2 * 8);
}

TEST_CASE("A set gives up the line that was touched the longest time ago") {
  CHECK(price(9, 3) == 27 + 2 * 27);
  CHECK(price(16, 3, 64) == 48 + 2 * 16);  // two sets
}

TEST_CASE("Slots are loaded and stored, but do not compete") {
  const TilePlaces places{{{0, 0}}, {{0, 0}}, {}};
  const InstructionSchedule schedule{{{Op::kLoad, 0, 0, 0, 1, {Kind::kInput, 0}},
                                      {Op::kStore, 0, 0, 0, 1, {Kind::kSlot, 0}},
                                      {Op::kLoad, 0, 0, 0, 1, {Kind::kSlot, 0}}},
                                     1};
  CHECK(crowded_price(schedule, places, kMachine) == 2 + 2 + 2);
}

}  // namespace
}  // namespace xorloom
