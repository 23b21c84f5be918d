#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/bench/study.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/processor_counters.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/running.hpp"
#include "codes/text/error.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "runtime/files/user_bytes.hpp"

namespace xorloom::cli {
namespace {

constexpr double kLineBytes = 64;

struct ThreadsRow {
  std::size_t threads;
  double seconds;                      ///< of a call
  std::optional<double> hits;          ///< share of accesses to the last cache
  std::optional<double> memory_bytes;  ///< a second
};

ThreadsRow measured(const StudyTask& task, const BenchFixture& fixture, std::size_t threads,
                    const ProcessorCounters& counters) {
  const Codec codec = study_codec(task, threads);
  const auto run = [&](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      check(codec.encode(fixture.stripe.pointers(), fixture.stripe.chunk_bytes()));
    }
  };
  ruin(fixture, codec.encoding(), task.code);
  run(1);
  const auto before = counters.counts();
  const Stopwatch watch;
  const double seconds = timed_alone(run, false, kStudyRounds, threads);
  const double all_seconds = watch.seconds();
  const auto after = counters.counts();
  if (const auto wrong = first_difference(fixture, codec.encoding().writes())) {
    fail(Status::kInternal,
         fmt::format("{}: chunk {} is wrong; no time is reported", task.code.name(), *wrong));
  }
  ThreadsRow row{threads, seconds, {}, {}};
  if (before && after && after->accesses > before->accesses) {
    const auto accesses = static_cast<double>(after->accesses - before->accesses);
    const auto misses = static_cast<double>(after->misses - before->misses);
    row.hits = std::max(0.0, 1 - misses / accesses);
    row.memory_bytes = misses * kLineBytes / all_seconds;
  }
  return row;
}

std::string number_or_dash(const std::optional<double>& value, double unit) {
  return value ? fmt::format("{:.3g}", *value / unit) : "-";
}

Json json_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

StudyResult study_threads(const StudyTask& task) {
  const ProcessorCounters counters;
  const std::size_t chunk_bytes =
      task.chunk_bytes != 0
          ? task.chunk_bytes
          : chunk_sizes(task.code, task.machine.caches, task.machine.memory_bytes).back();
  const BenchFixture fixture = make_fixture(task.code, chunk_bytes, Layout::kStaggered, task.run);
  const std::size_t data_bytes = data_capacity(task.code, chunk_bytes);
  std::vector<ThreadsRow> rows;
  for (const std::size_t threads : thread_counts(task.run.threads)) {
    rows.push_back(measured(task, fixture, threads, counters));
  }
  std::string table = fmt::format(
      "encoding {} bytes of data in chunks of {}\n\n"
      "threads     GB/s  speedup  hits in the last cache  GB/s from memory\n",
      data_bytes, chunk_bytes);
  Json json_rows = Json::array();
  ChartSeries measured_speed{"measured", {}, {}, false, {}};
  ChartSeries linear{
      "as fast as one thread, times threads", {}, ChartSeries::Form::kPlain, true, {}};
  for (const ThreadsRow& row : rows) {
    const double speed = gigabytes_per_second(data_bytes, row.seconds);
    const double speedup = rows.front().seconds / row.seconds;
    table += fmt::format("{:>7} {:>8.3g} {:>8.2f} {:>23} {:>17}\n", row.threads, speed, speedup,
                         number_or_dash(row.hits, 1), number_or_dash(row.memory_bytes, 1e9));
    json_rows.push_back({{"threads", row.threads},
                         {"seconds", row.seconds},
                         {"data_gb_per_s", speed},
                         {"speedup", speedup},
                         {"last_cache_hits", json_or_null(row.hits)},
                         {"memory_bytes_per_s", json_or_null(row.memory_bytes)}});
    const auto x = static_cast<double>(row.threads);
    measured_speed.points.emplace_back(x, speed);
    linear.points.emplace_back(x, x * gigabytes_per_second(data_bytes, rows.front().seconds));
  }
  table += executor_note(task);
  if (!counters.why_none().empty()) {
    table += "\n" + wrapped(fmt::format("-: {}.", counters.why_none()), 0) + "\n";
  }
  const Chart chart{fmt::format("{}: encoding {} bytes of data", task.code.name(), data_bytes),
                    {"threads", ChartAxis::Scale::kLog2, false, false},
                    {"GB/s of data", ChartAxis::Scale::kLinear, true, false},
                    {measured_speed, linear},
                    ""};
  Json json{{"executor", to_string(task.run.executor)},
            {"chunk_bytes", chunk_bytes},
            {"data_bytes", data_bytes},
            {"why_no_counters", counters.why_none()},
            {"rows", std::move(json_rows)}};
  return {std::move(table), std::move(json), draw_chart(chart)};
}

}  // namespace xorloom::cli
