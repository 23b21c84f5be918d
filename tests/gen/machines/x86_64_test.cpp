#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "gen/machines/machines.hpp"

namespace xorloom {
namespace {

/// Instructions prefetcht0: 0f 18 with 1 in the middle of the byte behind.
std::size_t prefetches(const std::vector<std::uint8_t>& code) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 2 < code.size(); ++i) {
    count += code[i] == 0x0f && code[i + 1] == 0x18 && (code[i + 2] >> 3 & 7) == 1;
  }
  return count;
}

std::size_t prefetches_of(const Program& tile, const TilePlaces& places,
                          const MachineFacts& machine, const MachineCodeOptions& options) {
  const InstructionSchedule schedule = assign_registers(tile, machine, !options.non_temporal);
  return prefetches(x86_64_code(places, schedule, machine, options));
}

TEST_CASE("Every line that goes through the caches is prefetched once a turn") {
  // The second code has more pointers than registers for them.
  for (const char* spec : {"cauchy:k=5,m=2,w=3", "cauchy:k=12,m=4,w=4"}) {
    CAPTURE(spec);
    const Program program = direct_encoding(make_code(spec));
    const std::size_t read = program.inputs.size();
    const std::size_t written = program.outputs.size();
    for (const MachineFacts& machine : {MachineFacts{64, 32, 3}, MachineFacts{32, 16, 2}}) {
      const std::size_t packet_bytes = machine.vector_bytes;
      const Program tile = dense(program);
      const TilePlaces places = packet_places(program, 1, packet_bytes, 0);
      const std::size_t stride = program.rows * packet_bytes;
      CHECK(prefetches_of(tile, places, machine, {stride, 0, false}) == 0);
      const std::size_t through = prefetches_of(tile, places, machine, {stride, stride, false});
      const std::size_t past = prefetches_of(tile, places, machine, {stride, stride, true});
      if (packet_bytes == 64) {
        CHECK(through == read + written);
        CHECK(past == read);
      } else {  // two packets share a line, but for the last of an odd number
        const std::size_t lines = (program.rows + 1) / 2;
        CHECK(through == program.locations * lines);
        CHECK(past == read / program.rows * lines);
      }
    }
  }
}

TEST_CASE("By halves of lines, a turn prefetches every other line, and code is half as long") {
  const MachineFacts machine{32, 16, 2};
  for (const char* spec : {"cauchy:k=5,m=2,w=3", "cauchy:k=12,m=4,w=4"}) {
    CAPTURE(spec);
    const Program program = direct_encoding(make_code(spec));
    const std::size_t stride = program.rows * 64;
    const auto code = [&](std::size_t vectors, bool is_past_caches) {
      const Program tile = unrolled(dense(program), vectors);
      const InstructionSchedule schedule = assign_registers(tile, machine, !is_past_caches);
      return x86_64_code(packet_places(program, vectors, 64, machine.vector_bytes), schedule,
                         machine, {stride, stride, is_past_caches, std::size_t{3} - vectors});
    };
    const std::size_t lines = (program.rows + 1) / 2;
    CHECK(prefetches(code(1, false)) == program.locations * lines);
    CHECK(prefetches(code(1, true)) == program.inputs.size() / program.rows * lines);
    for (const bool is_past_caches : {false, true}) {
      CHECK(4 * code(1, is_past_caches).size() < 3 * code(2, is_past_caches).size());
    }
  }
}

/// Jumps to the byte behind them: eb 00.
std::size_t jumps_on(const std::vector<std::uint8_t>& code) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < code.size(); ++i) count += code[i] == 0xeb && code[i + 1] == 0;
  return count;
}

TEST_CASE("Straight-line code has a branch every 48 instructions") {
  const Program program = direct_encoding(make_code("cauchy-good:k=10,m=4,w=4"));
  for (const MachineFacts& machine : {MachineFacts{64, 32, 3}, MachineFacts{32, 16, 2}}) {
    const Program tile = dense(program);
    const InstructionSchedule schedule = assign_registers(tile, machine, true);
    const TilePlaces places = packet_places(program, 1, machine.vector_bytes, 0);
    const auto code = x86_64_code(places, schedule, machine, {program.rows * 64});
    CHECK(schedule.instructions.size() > 48);
    CHECK(jumps_on(code) == schedule.instructions.size() / 48);
  }
}

}  // namespace
}  // namespace xorloom
