#include "gen/vector/tile_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/pieces.hpp"
#include "equations/search/optimize.hpp"
#include "gen/machines/machines.hpp"
#include "gen/vector/lower.hpp"

namespace xorloom {
namespace {

constexpr MachineFacts kLines = kThreeWayMachine;

/// Bands of a chain each, whose sums follow one another in turn:
///
///     a0 = in0 + in1, b0 = in0 + in1, a1 = a0 + in1, b1 = b0 + in1, …
Program interleaved_chains(std::uint32_t bands, std::uint32_t outputs_of_band) {
  Program tile = dense_without_equations(2, bands * outputs_of_band, gf2());
  for (std::uint32_t i = 0; i < bands * outputs_of_band; ++i) {
    const auto before = static_cast<Element>(num_values(tile)) - bands;
    tile.outputs[i] = add_equation(tile, {{i < bands ? 0 : before}, {1}});
  }
  return tile;
}

EquationOrder as_given(std::size_t equations) {
  EquationOrder order(equations);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

/// Equations of two halves in turn.
Program in_turn(const Program& program) {
  Program result = without_equations(program);
  const std::vector<Program> halves = independent_halves(program);
  REQUIRE(halves.size() == 2);
  for (std::size_t i = 0; result.equations.size() < program.equations.size(); ++i) {
    for (const Program& half : halves) {
      if (i < half.equations.size()) result.equations.push_back(half.equations[i]);
    }
  }
  check_program(result);
  return result;
}

/// The encoding equations, shared within bands of `outputs` outputs.
Program shared_in_bands_of(const Code& code, std::size_t outputs) {
  const Program direct = direct_encoding(code);
  std::vector<Program> bands = bands_of(direct, direct.outputs.size() / outputs);
  Search fast;
  fast.effort = Effort::kFast;
  for (Program& band : bands) band = optimize(band, fast);
  return stacked(direct, bands);
}

TEST_CASE("Bands follow one another, and the order of each stays") {
  const EquationOrder order = order_by_bands(interleaved_chains(3, 16));
  REQUIRE(order.size() == 48);
  for (std::uint32_t i = 0; i < 48; ++i) CHECK(order[i] == i % 16 * 3 + i / 16);
}

TEST_CASE("Bands of few outputs are joined, and so is a rest of few") {
  CHECK(order_by_bands(interleaved_chains(3, 5)) == as_given(15));
  CHECK(order_by_bands(interleaved_chains(7, 4)) == as_given(28));
  const EquationOrder order = order_by_bands(interleaved_chains(4, 8));
  CHECK(order != as_given(32));
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(order[i] % 4 / 2 == i / 16);
  CHECK(order_by_bands(Program{}).empty());
}

TEST_CASE("A search interleaves bands for AVX-512, and they are found again") {
  const Program program = shared_in_bands_of(make_code("cauchy-good:k=10,m=4,w=8"), 16);
  const Budget budget{.iterations = 30'000};
  const Program apart = ordered_tile(program, kLines, {});
  CHECK(std::ranges::is_sorted(order_by_bands(apart)));
  const Program tile = ordered_tile(program, kLines, budget);
  const EquationOrder order = order_by_bands(tile);
  CHECK_FALSE(std::ranges::is_sorted(order));
  CHECK(schedule_price(tile, kLines) < schedule_price(apart, kLines));
  const auto again = reordered(tile, order);
  CHECK(std::ranges::is_sorted(order_by_bands(again)));
  CHECK(schedule_price(tile, kLines) < schedule_price(again, kLines));
}

/// Whether this build writes code for a machine.
bool is_encoded(const MachineFacts& machine) { return machine.encode != nullptr; }

TEST_CASE("What is too long for a kernel is cut into bands, however an order interleaves them") {
  if (!is_encoded(kLines)) return;
  const Program program = shared_in_bands_of(make_code("cauchy-good:k=28,m=16,w=8"), 32);
  const Program order = in_turn(program);
  const auto parts = lower_packets(program, 64, kLines, {}, &order);
  CHECK(parts.size() > 1);
  std::size_t outputs = 0;
  for (const LoweredKernels& part : parts) outputs += part.tile.outputs.size();
  CHECK(outputs == program.outputs.size());
}

}  // namespace
}  // namespace xorloom
