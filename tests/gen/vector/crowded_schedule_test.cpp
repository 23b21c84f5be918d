#include "gen/vector/crowded_schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/word_tile.hpp"
#include "tests/support/random_program.hpp"

namespace xorloom {
namespace {

using Kind = InstructionSchedule::Memory::Kind;
using Line = TilePlaces::Place;

constexpr std::size_t kPacket = 64;
const MachineFacts kNarrow{32, 16, 2};

/// A tile of packets of kPacket (64) bytes, its places, and its schedule.
struct Scene {
  Scene(const Program& program, const MachineFacts& on, std::size_t packet_bytes = kPacket)
      : machine(on),
        tile(unrolled(greedy_steps(dense(program), on).tile, kPacket / on.vector_bytes)),
        places(packet_places(program, kPacket / on.vector_bytes, packet_bytes, on.vector_bytes)),
        given(assign_registers(tile, on, false)) {}

  std::optional<InstructionSchedule> crowded() const {
    return crowded_schedule(given, places, machine);
  }

  MachineFacts machine;
  Program tile;
  TilePlaces places;
  InstructionSchedule given;
};

TEST_CASE("Schedules for crowded sets agree with their tiles on few and many registers") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const std::size_t registers : {5U, 8U, 16U}) {
      for (const std::size_t operands : {2U, 3U}) {
        CAPTURE(seed);
        CAPTURE(registers);
        const std::size_t vector_bytes = operands == 3 && seed % 2 == 0 ? 64 : 32;
        const Scene scene(random_program(10 + seed % 5, 1 + seed % 8, 6 + seed, seed),
                          {vector_bytes, registers, operands});
        const auto crowded = scene.crowded();
        REQUIRE(crowded);
        CHECK(find_disagreement(*crowded, scene.tile, scene.machine) == std::nullopt);
      }
    }
  }
}

TEST_CASE("Schedules of words for crowded sets agree with their tiles") {
  const Code code = make_code("rs:k=10,m=4");
  const Program program = direct_symbols(code, encoding_map(code));
  for (const MachineFacts& machine :
       {MachineFacts{32, 16, 2, false}, MachineFacts{32, 16, 2}, MachineFacts{32, 9, 2, false},
        MachineFacts{64, 32, 3}, MachineFacts{64, 7, 3}, MachineFacts{64, 32, 3, false}}) {
    CAPTURE(machine.vector_bytes);
    CAPTURE(machine.registers);
    CAPTURE(machine.has_matrix_products);
    const Program tile = unrolled(word_tile(program, machine), 2);
    const TilePlaces places = word_places(program, 2, machine.vector_bytes);
    const auto crowded = crowded_schedule(assign_registers(tile, machine, false), places, machine);
    REQUIRE(crowded);
    CHECK(crowded->prefetched->size() == 6 * machine.vector_bytes / 32);
    CHECK(find_disagreement(*crowded, tile, machine) == std::nullopt);
  }
}

TEST_CASE("Slots for crowded sets take no more than half a first cache") {
  const MachineFacts wide{64, 32, 3};
  const auto is_crowded = [&](std::string_view spec) {
    return Scene(direct_encoding(make_code(spec)), wide).crowded().has_value();
  };
  CHECK(is_crowded("cauchy-good:k=20,m=4,w=8"));
  CHECK_FALSE(is_crowded("cauchy-good:k=60,m=4,w=8"));
}

TEST_CASE("Beside six lines of input of a set, lines are touched at one place") {
  const Scene scene(direct_encoding(make_code("cauchy-good:k=10,m=4,w=8")), kNarrow);
  const auto crowded = scene.crowded();
  REQUIRE(crowded);
  CHECK(crowded->prefetched->size() == 6 * 8);
  // By line, the first and the last instruction that touches it.
  std::map<Line, std::pair<std::size_t, std::size_t>> touched;
  const auto& instructions = crowded->instructions;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const auto memory = instructions[i].memory;
    if (memory.kind != Kind::kInput && memory.kind != Kind::kOutput) continue;
    const auto& places = memory.kind == Kind::kInput ? scene.places.inputs : scene.places.outputs;
    touched.try_emplace(line_of(places[memory.index]), i, i).first->second.second = i;
  }
  CHECK(touched.size() == 14 * 8);
  std::size_t at_one_place = 0;
  for (const auto& [line, range] : touched) {
    if (std::ranges::find(*crowded->prefetched, line) != crowded->prefetched->end()) continue;
    CHECK(range.second - range.first < 40);
    ++at_one_place;
  }
  CHECK(at_one_place == 8 * 8);
}

TEST_CASE("Schedules by groups agree with their tiles, and miss few lines") {
  const MachineFacts wide{64, 32, 3};
  for (const std::string_view spec :
       {"cauchy-good:k=10,m=4,w=8", "cauchy-good:k=28,m=4,w=8", "cauchy-good:k=12,m=3,w=8"}) {
    CAPTURE(spec);
    const Program direct = direct_encoding(make_code(spec));
    const Scene scene(direct, wide);
    for (const bool shares_anew : {false, true}) {
      const auto grouped = grouped_schedule(scene.tile, scene.places, wide, shares_anew);
      REQUIRE(grouped);
      CHECK(find_disagreement(*grouped, scene.tile, wide) == std::nullopt);
      CHECK(grouped->prefetched->size() == 6 * direct.rows);
      const ScheduleCost of = cost(*grouped, wide);
      const std::size_t least = scene.tile.inputs.size() + scene.tile.outputs.size();
      const std::size_t missed =
          (crowded_price(*grouped, scene.places, wide) - of.loads - 2 * of.stores) / 2;
      CHECK(missed < least + least / 10);
    }
  }
}

TEST_CASE("One band whose sums are shared as given has no schedule by groups") {
  const MachineFacts wide{64, 32, 3};
  const Scene scene(direct_encoding(make_code("cauchy-good:k=10,m=2,w=6")), wide);
  CHECK_FALSE(grouped_schedule(scene.tile, scene.places, wide, false));
  CHECK(grouped_schedule(scene.tile, scene.places, wide, true));
}

TEST_CASE("Neither halves of lines nor words have schedules by groups") {
  const Program direct = direct_encoding(make_code("cauchy-good:k=10,m=4,w=8"));
  const Scene scene(direct, kNarrow);
  CHECK_FALSE(grouped_schedule(scene.tile, scene.places, kNarrow, false));
  const MachineFacts wide{64, 32, 3};
  const Code words = make_code("rs:k=10,m=4");
  const Program program = direct_symbols(words, encoding_map(words));
  const Program tile = word_tile(program, wide);
  const TilePlaces places = word_places(program, 1, 64);
  CHECK_FALSE(grouped_schedule(tile, places, wide, true));
}

TEST_CASE("There is no schedule for crowded sets where lines do not exceed their ways") {
  const Program few = random_program(8, 4, 9, 1);
  const Program many = random_program(12, 4, 9, 1);
  CHECK_FALSE(Scene(few, kNarrow).crowded());
  CHECK(Scene(many, kNarrow).crowded());
  // Wide packets of one stream compete alone.
  CHECK_FALSE(Scene(many, kNarrow, 4096).crowded());
}

using Op = InstructionSchedule::Op;

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
