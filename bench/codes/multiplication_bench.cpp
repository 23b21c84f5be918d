// Bytes per second of one coefficient of GF(2^8) times a buffer, by each of the policies of
// bench/codes/multiplication.hpp, each product compared with shift and add before the clock starts.
// --benchmark_filter=32768 compares them on a buffer that stays in the first cache.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "bench/codes/multiplication.hpp"

namespace {

template <class Policy>
void multiply_buffer(benchmark::State& state) {
  const xorloom::Field field(8);
  const Policy policy(field);
  std::mt19937_64 random(1);
  std::vector<std::uint8_t> from(static_cast<std::size_t>(state.range(0)));
  std::vector<std::uint8_t> to(from.size());
  for (std::uint8_t& byte : from) byte = static_cast<std::uint8_t>(random());
  std::uint8_t coefficient = 0x8e;
  const auto run = [&] {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = policy.multiply(coefficient, from[i]);
  };
  run();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (to[i] != field.multiply_by_shifts(coefficient, from[i])) {
      throw std::runtime_error("a product is wrong");
    }
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(coefficient);
    run();
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}

BENCHMARK_TEMPLATE(multiply_buffer, xorloom::ShiftAndAdd)->Arg(32 << 10)->Arg(4 << 20);
BENCHMARK_TEMPLATE(multiply_buffer, xorloom::FullTable)->Arg(32 << 10)->Arg(4 << 20);
BENCHMARK_TEMPLATE(multiply_buffer, xorloom::LeftRightTables)->Arg(32 << 10)->Arg(4 << 20);
BENCHMARK_TEMPLATE(multiply_buffer, xorloom::LogExp)->Arg(32 << 10)->Arg(4 << 20);
BENCHMARK_TEMPLATE(multiply_buffer, xorloom::LogExpCarry)->Arg(32 << 10)->Arg(4 << 20);
BENCHMARK_TEMPLATE(multiply_buffer, xorloom::LogExpRepeated)->Arg(32 << 10)->Arg(4 << 20);
BENCHMARK_TEMPLATE(multiply_buffer, xorloom::LogExpUnbranched)->Arg(32 << 10)->Arg(4 << 20);
BENCHMARK_TEMPLATE(multiply_buffer, xorloom::LogExpMasked)->Arg(32 << 10)->Arg(4 << 20);

}  // namespace

BENCHMARK_MAIN();
