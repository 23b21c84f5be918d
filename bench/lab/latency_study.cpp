#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bench/lab/study.hpp"
#include "cli/bench/bench_charts.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

constexpr std::array kShares = {0.5, 0.9, 0.99, 0.999};

/// Chunk bytes of a stripe that fills half of a core's L2.
std::size_t usual_chunk_bytes(const StudyTask& task) {
  const std::size_t unit = chunk_multiple(task.code());
  const std::size_t wanted = task.machine.caches.l2 / 2 / task.code().locations;
  return std::max<std::size_t>(1, wanted / unit) * unit;
}

/// Ascending seconds of single calls on `threads` threads.
std::vector<double> calls_on(const StudyTask& task, const BenchFixture& fixture,
                             std::size_t threads) {
  const Codec codec = task.codec(threads);
  const auto run = [&](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      check(codec.encode(fixture.stripe.pointers(), fixture.stripe.chunk_bytes()));
    }
  };
  ruin(fixture, codec.encoding(), task.code());
  run(1);
  std::vector<double> seconds = seconds_of_calls(run, threads);
  check_chunks(task.code(), fixture, codec.encoding().writes());
  std::ranges::sort(seconds);
  return seconds;
}

}  // namespace

StudyResult study_latency(const StudyTask& task) {
  const std::size_t chunk_bytes =
      task.chunk_bytes != 0 ? task.chunk_bytes : usual_chunk_bytes(task);
  const BenchFixture fixture = make_fixture(task.code(), chunk_bytes, Layout::kStaggered, task.run);
  Chart chart{fmt::format("{}: how long calls take that encode chunks of {}", task.code().name(),
                          counted(chunk_bytes, "byte")),
              {"microseconds", ChartAxis::Scale::kLog10, false, false},
              {"calls that take no longer", ChartAxis::Scale::kTail, false, false},
              {},
              "Steep: calls take alike. A long tail to the right: some take much longer."};
  Json rows = Json::array();
  for (const std::size_t threads : thread_counts(task.run.threads)) {
    const std::vector<double> seconds = calls_on(task, fixture, threads);
    Json quantiles = Json::array();
    for (const double share : kShares) {
      quantiles.push_back({{"share", share}, {"seconds", share_of(seconds, share)}});
    }
    rows.push_back({{"threads", threads},
                    {"calls", seconds.size()},
                    {"quantiles", std::move(quantiles)},
                    {"most_seconds", seconds.back()}});
    ChartSeries& curve = chart.series.emplace_back(
        ChartSeries{threads_text(threads), {}, ChartSeries::Form::kPlain, false, {}});
    for (const double share : latency_shares()) {
      curve.points.emplace_back(share_of(seconds, share) * kMicro, share);
    }
  }
  Table table = record_table(rows, {"threads", "threads", in_full},
                             {{"", {{"calls", "calls", in_full}}},
                              {"microseconds a call",
                               {{"p50", "quantiles.0.seconds", in_micros},
                                {"p90", "quantiles.1.seconds", in_micros},
                                {"p99", "quantiles.2.seconds", in_micros},
                                {"p99.9", "quantiles.3.seconds", in_micros},
                                {"max", "most_seconds", in_micros}}}});
  return {{{"executor", to_string(task.run.executor)},
           {"chunk_bytes", chunk_bytes},
           {"rows", std::move(rows)}},
          {Paragraph{fmt::format("encoding chunks of {}", counted(chunk_bytes, "byte"))},
           Pictures{{draw_chart(chart)}, {}, {}, true}, std::move(table), executor_note(task)}};
}

}  // namespace xorloom::cli
