#include "cli/bench/executors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/machine_rates.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/running.hpp"
#include "codes/bits.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kExecutorRounds = 15;

/// A way to encode: one thread, or an executor on several.
struct Way {
  Executor executor;
  std::size_t threads;
  Codec codec;
  PlanExplanation explanation;
};

Way way_of(const Code& code, const std::optional<GivenProgram>& given, Executor executor,
           std::size_t threads, Options options) {
  options.executor = executor;
  options.threads = static_cast<int>(threads);
  const PlanOptions plan = for_encoding(plan_options(options));
  const LinearMap map = encoding_map(code);
  if (!given) {
    return {executor, threads, CodecAccess::codec_of(code, options),
            explanation_of(code, map, plan)};
  }
  const CoreSchedule* on_cores = given->on_cores ? &*given->on_cores : nullptr;
  return {executor, threads, CodecAccess::codec_of(code, options, *given),
          explanation_of(code, map, given->program, on_cores, plan)};
}

void verify(const Code& code, const BenchFixture& fixture, Executor executor) {
  std::vector<std::size_t> all(code.locations);
  for (std::size_t l = 0; l < all.size(); ++l) all[l] = l;
  if (const auto wrong = first_difference(fixture, all)) {
    fail(Status::kInternal, fmt::format("{}, executor {}: chunk {} is wrong; no time is reported",
                                        code.name(), to_string(executor), *wrong));
  }
}

/// Each way has its turn in each round.
std::vector<double> timed(const std::vector<Way>& ways, const Code& code,
                          const BenchFixture& fixture) {
  std::vector<Contender> contenders;
  for (const Way& way : ways) {
    Contender& contender = contenders.emplace_back(Contender{
        "", [&](std::size_t calls) {
          for (std::size_t i = 0; i < calls; ++i) {
            check(way.codec.encode(fixture.stripe.pointers(), fixture.stripe.chunk_bytes()));
          }
        }});
    ruin(fixture, way.codec.encoding(), code);
    contender.run(1);
    verify(code, fixture, way.executor);
    contender.threads = way.threads;
    warm_up(contender);
  }
  for (std::size_t round = 0; round < kExecutorRounds; ++round) {
    for (Contender& contender : contenders) {
      renew(fixture);
      take_turn(contender);
    }
  }
  verify(code, fixture, ways.back().executor);
  std::vector<double> seconds;
  for (const Contender& contender : contenders) seconds.push_back(median_seconds(contender));
  return seconds;
}

}  // namespace

ExecutorComparison compare_executors(const Code& code, const std::optional<GivenProgram>& given,
                                     const std::vector<Executor>& executors,
                                     const std::vector<std::size_t>& chunk_bytes, Layout layout,
                                     const Options& options) {
  const std::size_t threads =
      options.threads > 0 ? static_cast<std::size_t>(options.threads) : machine_threads();
  std::vector<Way> ways{way_of(code, given, Executor::kRanges, 1, options)};
  for (const Executor executor : executors) {
    ways.push_back(way_of(code, given, executor, threads, options));
  }
  MachineRates kept = kept_rates();
  const MachineRates::Of& rates = measured_rates(kept, choose_isa(options.isa), code.arrangement);
  ExecutorComparison comparison{
      code.spec,   executors, threads, layout, kExecutorRounds, measured_thread_costs(threads),
      rates.error, {}};
  const CacheSizes caches = describe_system().caches;
  for (const std::size_t bytes : chunk_bytes) {
    const BenchFixture fixture = make_fixture(code, bytes, layout, options);
    const std::vector<double> seconds = timed(ways, code, fixture);
    const std::size_t stripe_bytes = bytes * code.locations;
    std::vector<ExecutorTime> times;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Way& way = ways[i];
      const ExecutorCosts costs =
          costs_of(rates, comparison.costs, caches, stripe_bytes, code.locations, way.threads);
      times.push_back({seconds[i], predicted_seconds(way.explanation, way.executor, way.threads,
                                                     bytes / units_of_chunk(code), costs)});
    }
    comparison.rows.push_back({bytes,
                               data_capacity(code, bytes),
                               level_of(stripe_bytes, caches),
                               times.front(),
                               {times.begin() + 1, times.end()}});
  }
  return comparison;
}

std::vector<std::size_t> executor_chunk_sizes(const Code& code) {
  const std::size_t unit = chunk_multiple(code);
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = std::size_t{1} << 10; bytes <= std::size_t{1} << 20; bytes *= 4) {
    const std::size_t size = (bytes + unit - 1) / unit * unit;
    if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
  }
  return sizes;
}

}  // namespace xorloom::cli
