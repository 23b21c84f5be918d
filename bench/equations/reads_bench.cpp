// Time to choose the reads of a repair, and their number, for each number of lost chunks of some
// codes. An iteration is one pattern of losses, up to 1001 in turn; the time is the mean. cells:
// mean number of cells read; whole: cells of whole chunks; slowest_ms: time of the slowest pattern,
// the median of three.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codes/bits.hpp"
#include "codes/families/families.hpp"
#include "equations/reads/fewest_reads.hpp"

namespace {

using Locations = std::vector<std::size_t>;

/// Every set of `count` of n locations.
std::vector<Locations> losses(std::size_t n, std::size_t count) {
  std::vector<Locations> result;
  Locations set(count);
  for (std::size_t i = 0; i < count; ++i) set[i] = i;
  while (true) {
    result.push_back(set);
    std::size_t i = count;
    while (i > 0 && set[i - 1] == n - count + i - 1) --i;
    if (i == 0) return result;
    ++set[i - 1];
    for (; i < count; ++i) set[i] = set[i - 1] + 1;
  }
}

double milliseconds(const xorloom::Code& code, const Locations& lost) {
  const auto begin = std::chrono::steady_clock::now();
  benchmark::DoNotOptimize(xorloom::fewest_reads(code, {.lost = lost}));
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

void choose(benchmark::State& state, const std::string& spec) {
  const xorloom::Code code = xorloom::readable(xorloom::make_code(spec));
  const std::vector<Locations> all =
      losses(code.locations, static_cast<std::size_t>(state.range(0)));
  double cells = 0;
  double slowest = 0;
  for (const Locations& lost : all) {
    cells += static_cast<double>(xorloom::fewest_reads(code, {.lost = lost}).map.inputs.size());
    std::array<double, 3> times{};
    for (double& time : times) time = milliseconds(code, lost);
    std::ranges::sort(times);
    slowest = std::max(slowest, times[1]);
  }
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(xorloom::fewest_reads(code, {.lost = all[next]}));
    next = (next + 1) % all.size();
  }
  state.counters["cells"] = cells / static_cast<double>(all.size());
  state.counters["whole"] = static_cast<double>(code.data.size());
  state.counters["slowest_ms"] = slowest;
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* spec :
       {"rs:k=10,m=4", "cauchy-good:k=10,m=4,w=8", "cauchy-good:k=10,m=4,w=4", "clay:k=8,m=4",
        "lrc:k=8,m=4,l=3", "shec:k=8,m=4,c=2", "rdp:k=10,p=11", "zigzag:k=4,r=2"}) {
    const std::size_t most = xorloom::make_code(spec).promised_losses;
    auto* const made = benchmark::RegisterBenchmark(
        spec, [spec](benchmark::State& state) { choose(state, spec); });
    made->DenseRange(1, static_cast<std::int64_t>(most))->Unit(benchmark::kMillisecond);
    made->ArgName("lost");
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
