#include "equations/ir/annealing_rule.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>

#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

TEST_CASE("Powers of a half fall, and are at most 6.2 percent above") {
  std::uint64_t before = (std::uint64_t{1} << 32) + 1;
  for (std::uint64_t x = 0; x < 12 * kAnnealingUnit; x += 97) {
    CAPTURE(x);
    const std::uint64_t power = power_of_half(x);
    CHECK(power < before);
    const double exact = std::exp2(-static_cast<double>(x) / 0x1p16);
    CHECK(static_cast<double>(power) / 0x1p32 >= exact * (1 - 1e-6));
    CHECK(static_cast<double>(power) / 0x1p32 <= 1.062 * exact);
    before = power;
  }
  CHECK(power_of_half(0) == std::uint64_t{1} << 32);
  CHECK(power_of_half(5 * kAnnealingUnit) == std::uint64_t{1} << 27);
  CHECK(power_of_half(32 * kAnnealingUnit) == 1);
  CHECK(power_of_half(~std::uint64_t{0}) == 0);
}

TEST_CASE("A dearer move stays as often as its rise and the temperature say") {
  constexpr int kDraws = 100'000;
  Random random(1);
  for (const std::int64_t rise : {1, 3, 10}) {
    for (const double temperature : {0.5, 2.0, 30.0}) {
      CAPTURE(rise);
      CAPTURE(temperature);
      int kept = 0;
      for (int i = 0; i < kDraws; ++i) {
        if (stays(rise, annealing_units(temperature), random())) ++kept;
      }
      const double exact = std::exp(-static_cast<double>(rise) / temperature);
      CHECK(kept / double{kDraws} > exact - 0.006);
      CHECK(kept / double{kDraws} < 1.062 * exact + 0.006);
    }
  }
}

TEST_CASE("A move that is no dearer always stays, and a dear one never in the cold") {
  CHECK(stays(0, 0, ~std::uint64_t{0}));
  CHECK(stays(-5, annealing_units(0.1), ~std::uint64_t{0}));
  CHECK_FALSE(stays(1, 0, 0));
  CHECK_FALSE(stays(std::int64_t{1} << 62, std::uint64_t{1} << 40, 0));
  CHECK_FALSE(stays(1, annealing_units(100), ~std::uint64_t{0} << 16));
}

TEST_CASE("Temperatures fall from hot to cold") {
  constexpr std::uint64_t kHot = annealing_units(4);
  constexpr std::uint64_t kMoves = 1000;
  CHECK(linear_temperature(kHot, annealing_units(1), 0, kMoves) == kHot);
  CHECK(linear_temperature(kHot, annealing_units(1), 500, kMoves) == annealing_units(2.5));
  CHECK(geometric_temperature(kHot, annealing_units(2), 0, kMoves) == kHot);
  CHECK(geometric_temperature(kHot, annealing_units(2), 500, kMoves) == annealing_units(2));
  CHECK(geometric_temperature(kHot, annealing_units(3), 999, kMoves) < annealing_units(0.51));
}

}  // namespace
}  // namespace xorloom
