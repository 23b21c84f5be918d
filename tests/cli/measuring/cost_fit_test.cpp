#include "cli/measuring/cost_fit.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <vector>

namespace xorloom::cli {
namespace {

const CoreCosts kReal{3e-11,
                      3e-10,
                      1e-10,
                      9e-11,
                      {{{8e-12, 9e-12, 1e-4}, {8e-12, 2e-11, 3e-4}, {2.5e-11, 2e-11, 1.5e-3}}},
                      5e-8,
                      3e-9,
                      4};

/// Counts of a packet code of k data and m redundant chunks with w = 8. Loads, stores and
/// instructions grow together, as in real codes.
TileCounts counts_of(std::size_t k, std::size_t m, bool is_shared, std::mt19937_64& random) {
  TileCounts counts;
  const std::size_t xors = k * m * (is_shared ? 12 : 26);
  counts.instructions = xors + random() % 20;
  counts.loads = 8 * k + xors / 4 + random() % 10;
  counts.stores = 8 * m + (is_shared ? xors / 10 : 0);
  counts.vectors_read = 8 * k;
  counts.vectors_written = 8 * m;
  counts.vector_bytes = 64;
  return counts;
}

/// Calls on codes in all levels, each slowed or quickened by up to some part.
std::vector<TimedCall> calls_of(const CoreCosts& costs, double noise, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<TimedCall> calls;
  std::size_t code = 0;
  constexpr std::array<std::size_t, 12> kWidths = {3, 10, 24, 5, 14, 8, 32, 4, 20, 12, 16, 6};
  for (const std::size_t k : kWidths) {
    const std::size_t m = 2 + k % 3;
    for (const bool is_shared : {false, true}) {
      const TileCounts counts = counts_of(k, m, is_shared, random);
      for (const Level level : {Level::kL1, Level::kL2, Level::kL3, Level::kMemory}) {
        const double tiles = level == Level::kL1 ? 2 : 1000;
        const double off = static_cast<double>(random() % 2001) / 1000 - 1;
        calls.push_back({code, level, counts, k + m, tiles,
                         seconds_of_call(costs, level, counts, k + m, tiles) * (1 + noise * off)});
      }
    }
    ++code;
  }
  return calls;
}

}  // namespace

TEST_CASE("Times that costs make are predicted again, for codes that were left out, too") {
  const FittedCosts fitted = fit_costs(calls_of(kReal, 0, 1));
  CHECK(fitted.error.residual < 0.03);
  CHECK(fitted.error.held_out < 0.06);
  CHECK(fitted.costs.overlap == kReal.overlap);
  // The fitted costs also predict codes that were not timed, some of them larger than any timed
  // one.
  std::mt19937_64 random(2);
  for (const Level level : {Level::kL1, Level::kL2, Level::kL3, Level::kMemory}) {
    for (const std::size_t k : {std::size_t{2}, std::size_t{28}, std::size_t{36}}) {
      const TileCounts counts = counts_of(k, 4, true, random);
      CHECK(seconds_of_call(fitted.costs, level, counts, k + 4, 10) ==
            doctest::Approx(seconds_of_call(kReal, level, counts, k + 4, 10)).epsilon(0.1));
    }
  }
}

TEST_CASE("No cost vanishes, and what is measured is not, where counts grow together") {
  CoreCosts loads = kReal;
  loads.instruction = 0;
  loads.store = 0;
  const FittedCosts fitted = fit_costs(calls_of(loads, 0.05, 3));
  for (const double cost : {fitted.costs.instruction, fitted.costs.load, fitted.costs.store,
                            fitted.costs.multiplication, fitted.costs.call, fitted.costs.chunk}) {
    CHECK(cost > 0);
  }
  for (const MovingCosts& moving : fitted.costs.moving) {
    CHECK(moving.byte_read > 0);
    CHECK(moving.byte_written > 0);
  }
  CHECK(fitted.error.held_out < 0.15);
}

TEST_CASE("The held-out error grows with what the costs cannot explain") {
  const double little = fit_costs(calls_of(kReal, 0.02, 4)).error.held_out;
  const double much = fit_costs(calls_of(kReal, 0.6, 4)).error.held_out;
  CHECK(little < 0.1);
  CHECK(much > kLargeError);
}

TEST_CASE("One call that was disturbed hardly counts") {
  std::vector<TimedCall> calls = calls_of(kReal, 0, 5);
  calls[1].seconds *= 10;
  const FittedCosts fitted = fit_costs(calls);
  CHECK(fitted.error.residual < 0.05);
}

TEST_CASE("A level that nothing was timed in keeps the costs of the level before") {
  std::vector<TimedCall> calls = calls_of(kReal, 0, 6);
  std::erase_if(calls, [](const TimedCall& call) { return call.level > Level::kL2; });
  const FittedCosts fitted = fit_costs(calls);
  CHECK(fitted.costs.moving[2] == fitted.costs.moving[1]);
  CHECK(fitted.costs.moving[2].byte_read > 0);
}

TEST_CASE("Many chunks side by side slow moving down, up to those that were measured") {
  const double few = kReal.at(Level::kMemory, 4).byte_read;
  const double many = kReal.at(Level::kMemory, kMostCrowding).byte_read;
  CHECK(few == doctest::Approx(2.5e-11 * (1 + 16 * 1.5e-3)));
  CHECK(many > 3 * few);
  CHECK(kReal.at(Level::kMemory, 200).byte_read == many);
  CHECK(kReal.at(Level::kL1, 200).byte_read == 0);
}

}  // namespace xorloom::cli
