#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/short_number.hpp"
#include "codes/text/error.hpp"
#include "gen/pictures/chart_svg.hpp"

namespace xorloom::cli {
namespace {

constexpr std::array kShares = {0.5, 0.9, 0.99, 0.999};

struct Calls {
  std::size_t threads;
  std::vector<double> seconds;  ///< ascending

  double at(double share) const { return share_of(seconds, share); }
};

/// A stripe that half fills the L2 of a core.
std::size_t usual_chunk_bytes(const StudyTask& task) {
  const std::size_t unit = chunk_multiple(task.code());
  const std::size_t wanted = task.machine.caches.l2 / 2 / task.code().locations;
  return std::max<std::size_t>(1, wanted / unit) * unit;
}

Calls calls_on(const StudyTask& task, const BenchFixture& fixture, std::size_t threads) {
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
  return {threads, std::move(seconds)};
}

Chart chart_of(const StudyTask& task, std::size_t chunk_bytes, const std::vector<Calls>& all) {
  Chart chart{fmt::format("{}: how long calls take that encode chunks of {} bytes",
                          task.code().name(), chunk_bytes),
              {"microseconds", ChartAxis::Scale::kLog10, false, false},
              {"calls that take no longer", ChartAxis::Scale::kTail, false, false},
              {},
              "Steep: calls take alike. A long tail to the right: some take much longer."};
  for (const Calls& calls : all) {
    ChartSeries series{fmt::format("{} thread{}", calls.threads, calls.threads == 1 ? "" : "s"),
                       {},
                       ChartSeries::Form::kPlain,
                       false,
                       {}};
    for (const double share : latency_shares()) {
      series.points.emplace_back(calls.at(share) * kMicro, share);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

StudyResult study_latency(const StudyTask& task) {
  const std::size_t chunk_bytes =
      task.chunk_bytes != 0 ? task.chunk_bytes : usual_chunk_bytes(task);
  const BenchFixture fixture = make_fixture(task.code(), chunk_bytes, Layout::kStaggered, task.run);
  std::vector<Calls> all;
  for (const std::size_t threads : thread_counts(task.run.threads)) {
    all.push_back(calls_on(task, fixture, threads));
  }
  Json rows = Json::array();
  for (const Calls& calls : all) {
    Json shares = Json::array();
    for (const double share : kShares) {
      shares.push_back({{"share", share}, {"seconds", calls.at(share)}});
    }
    rows.push_back({{"threads", calls.threads},
                    {"calls", calls.seconds.size()},
                    {"quantiles", std::move(shares)},
                    {"most_seconds", calls.seconds.back()}});
  }
  Table table = rows_of(rows, {"threads", "threads", in_full},
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
          {Paragraph{fmt::format("encoding chunks of {} bytes", chunk_bytes)},
           Pictures{{draw_chart(chart_of(task, chunk_bytes, all))}, {}, {}, true}, std::move(table),
           executor_note(task)}};
}

}  // namespace xorloom::cli
