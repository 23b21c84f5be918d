// Time and XORs of iterative equations of fast effort for decoding: the mean over the losses of
// four chunks of RS(10,4), 1001 or the 1000 that lose data, from the loss to the proved program,
// the matrix inverse included. An iteration is one loss; run it with --benchmark_repetitions=9 for
// a median.

#include <benchmark/benchmark.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/passes/row_forms.hpp"
#include "equations/search/optimize.hpp"

namespace {

using Locations = std::vector<std::size_t>;

struct Loss {
  Locations lost;
  Locations wanted;
};

/// Every loss of four chunks in which there is something wanted.
std::vector<Loss> losses(bool data_only) {
  std::vector<Loss> result;
  for (std::uint32_t mask = 0; mask < 1U << 14; ++mask) {
    if (std::popcount(mask) != 4) continue;
    Loss loss;
    for (std::size_t i = 0; i < 14; ++i) {
      if ((mask >> i & 1U) == 0) continue;
      loss.lost.push_back(i);
      if (!data_only || i < 10) loss.wanted.push_back(i);
    }
    if (!loss.wanted.empty()) result.push_back(loss);
  }
  return result;
}

void decode(benchmark::State& state, bool data_only) {
  const xorloom::Code code = xorloom::make_code("isa-vandermonde:k=10,m=4");
  const std::vector<Loss> all = losses(data_only);
  xorloom::Search search;
  search.effort = xorloom::Effort::kFast;
  std::size_t next = 0;
  std::size_t xors = 0;
  for (auto _ : state) {
    const auto& [lost, wanted] = all[next++ % all.size()];
    xorloom::Program direct =
        xorloom::direct_program(code, xorloom::decoding_map(code, lost, wanted));
    const xorloom::Program program =
        xorloom::optimize(xorloom::reuse_rebuilt(code, std::move(direct)), search);
    benchmark::DoNotOptimize(program.equations.data());
    state.PauseTiming();
    xors += xorloom::cost(program).xors;
    state.ResumeTiming();
  }
  state.counters["xors"] =
      benchmark::Counter(static_cast<double>(xors), benchmark::Counter::kAvgIterations);
}

BENCHMARK_CAPTURE(decode, data, true)->Iterations(1000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decode, all, false)->Iterations(1001)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
