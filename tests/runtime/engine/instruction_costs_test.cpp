#include "runtime/engine/instruction_costs.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace xorloom {
namespace {

TileCounts random_counts(std::mt19937_64& random) {
  const auto to = [&](std::size_t most) { return std::size_t{1} + random() % most; };
  TileCounts counts;
  counts.instructions = to(1000);
  counts.loads = to(500);
  counts.stores = to(200);
  counts.multiplications = to(100);
  counts.vectors_read = to(80);
  counts.vectors_written = to(32);
  counts.vector_bytes = 64;
  return counts;
}

}  // namespace

TEST_CASE("Times that add up from counts are found again") {
  const InstructionCosts real{1e-10, 3e-10, 0, 5e-10, 2e-11};
  std::mt19937_64 random(7);
  std::vector<TimedTile> tiles;
  for (int i = 0; i < 30; ++i) {
    const TileCounts counts = random_counts(random);
    tiles.push_back({counts, seconds_of(real, counts)});
  }
  const InstructionCosts found = fit_instruction_costs(tiles);
  for (const TimedTile& tile : tiles) {
    CHECK(seconds_of(found, tile.counts) == doctest::Approx(tile.seconds).epsilon(1e-3));
  }
  CHECK(found.load == doctest::Approx(real.load).epsilon(0.05));
  CHECK(found.byte == doctest::Approx(real.byte).epsilon(0.05));
}

TEST_CASE("No time is below zero, whatever was measured") {
  std::mt19937_64 random(8);
  std::vector<TimedTile> tiles;
  for (int i = 0; i < 12; ++i) {
    tiles.push_back({random_counts(random), 1e-7 * static_cast<double>(1 + random() % 50)});
  }
  const InstructionCosts found = fit_instruction_costs(tiles);
  for (const double time :
       {found.instruction, found.load, found.store, found.multiplication, found.byte}) {
    CHECK(time >= 0);
  }
}

TEST_CASE("Of nothing measured nothing is said") {
  CHECK(fit_instruction_costs({}) == InstructionCosts{});
}

TEST_CASE("A tile's bytes are the vectors that it reads and writes") {
  TileCounts counts;
  counts.vectors_read = 80;
  counts.vectors_written = 32;
  counts.vector_bytes = 64;
  CHECK(bytes_of(counts) == 7168);
}

}  // namespace xorloom
