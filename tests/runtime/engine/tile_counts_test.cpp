#include "runtime/engine/tile_counts.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace xorloom {
namespace {

TileCounts some_counts() {
  TileCounts counts;
  counts.instructions = 700;
  counts.loads = 200;
  counts.stores = 40;
  counts.multiplications = 10;
  counts.vectors_read = 80;
  counts.vectors_written = 32;
  counts.vector_bytes = 64;
  return counts;
}

}  // namespace

TEST_CASE("A tile's bytes are the vectors that it reads and writes") {
  CHECK(bytes_of(some_counts()) == 7168);
}

TEST_CASE("Computing and moving overlap: between their sum and the longer of both") {
  InstructionCosts costs{1e-11, 1e-10, 2e-10, 3e-10, 1e-12, 2e-12, 1};
  const TileCounts counts = some_counts();
  const double core = core_seconds(costs, counts);
  const double moving = moving_seconds(costs, counts);
  CHECK(core == doctest::Approx(700 * 1e-11 + 200 * 1e-10 + 40 * 2e-10 + 10 * 3e-10));
  CHECK(moving == doctest::Approx(5120 * 1e-12 + 2048 * 2e-12));
  CHECK(seconds_of(costs, counts) == doctest::Approx(core + moving));
  costs.overlap = 2;
  CHECK(seconds_of(costs, counts) == doctest::Approx(std::hypot(core, moving)));
  costs.overlap = 64;
  CHECK(seconds_of(costs, counts) == doctest::Approx(core).epsilon(0.01));
}

TEST_CASE("A tile that costs nothing takes no time") {
  CHECK(seconds_of({}, some_counts()) == 0);
  CHECK(seconds_of({1e-11, 1e-10, 1e-10, 1e-10, 0, 0, 8}, some_counts()) > 0);
}

TEST_CASE("Between two costs each part is a share of the way") {
  const InstructionCosts near{1e-11, 1e-10, 1e-10, 1e-10, 0, 0, 4};
  const InstructionCosts far{1e-11, 1e-10, 1e-10, 1e-10, 4e-12, 8e-12, 4};
  const InstructionCosts half = between(near, far, 0.5);
  CHECK(half.byte_read == doctest::Approx(2e-12));
  CHECK(half.byte_written == doctest::Approx(4e-12));
  CHECK(half.load == doctest::Approx(near.load));
  CHECK(between(near, far, 0) == near);
  CHECK(between(near, far, 1) == far);
}

}  // namespace xorloom
