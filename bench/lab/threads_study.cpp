#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/processor_counters.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/running.hpp"
#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "runtime/files/user_bytes.hpp"

namespace xorloom::cli {
namespace {

constexpr double kLineBytes = 64;

Json measured(const StudyTask& task, const BenchFixture& fixture, std::size_t threads,
              const ProcessorCounters& counters) {
  const Codec codec = task.codec(threads);
  const auto run = [&](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      check(codec.encode(fixture.stripe.pointers(), fixture.stripe.chunk_bytes()));
    }
  };
  ruin(fixture, codec.encoding(), task.code());
  run(1);
  const auto before = counters.counts();
  const Stopwatch watch;
  const double seconds = timed_alone(run, false, kStudyRounds, threads);
  const double all_seconds = watch.seconds();
  const auto after = counters.counts();
  check_chunks(task.code(), fixture, codec.encoding().writes());
  Json row{
      {"threads", threads},
      {"seconds", seconds},
      {"data_gb_per_s",
       gigabytes_per_second(data_capacity(task.code(), fixture.stripe.chunk_bytes()), seconds)},
      {"speedup", nullptr},
      {"last_cache_hits", nullptr},
      {"memory_bytes_per_s", nullptr}};
  if (before && after && after->accesses > before->accesses) {
    const auto accesses = static_cast<double>(after->accesses - before->accesses);
    const auto misses = static_cast<double>(after->misses - before->misses);
    row["last_cache_hits"] = std::max(0.0, 1 - misses / accesses);
    row["memory_bytes_per_s"] = misses * kLineBytes / all_seconds;
  }
  return row;
}

}  // namespace

StudyResult study_threads(const StudyTask& task) {
  const ProcessorCounters counters;
  const std::size_t chunk_bytes =
      task.chunk_bytes != 0
          ? task.chunk_bytes
          : chunk_sizes(task.code(), task.machine.caches, task.machine.memory_bytes).back();
  const BenchFixture fixture = make_fixture(task.code(), chunk_bytes, Layout::kStaggered, task.run);
  const std::size_t data_bytes = data_capacity(task.code(), chunk_bytes);
  Json rows = Json::array();
  double alone = 0;
  for (const std::size_t threads : thread_counts(task.run.threads)) {
    Json row = measured(task, fixture, threads, counters);
    if (alone == 0) alone = row["seconds"].real();
    row["speedup"] = alone / row["seconds"].real();
    rows.push_back(std::move(row));
  }
  ChartSeries linear{
      "as fast as one thread, times threads", {}, ChartSeries::Form::kPlain, true, {}};
  for (const Json& row : rows) {
    const double x = row["threads"].real();
    linear.points.emplace_back(x, x * gigabytes_per_second(data_bytes, alone));
  }
  const Chart chart{
      fmt::format("{}: encoding {} of data", task.code().name(), counted(data_bytes, "byte")),
      {"threads", ChartAxis::Scale::kLog2, false, false},
      {"GB/s of data", ChartAxis::Scale::kLinear, true, false},
      {{"measured", points_of(rows, "threads", "data_gb_per_s")}, linear},
      ""};
  Table table =
      record_table(rows, {"threads", "threads", in_full},
                   {{"data", {{"GB/s", "data_gb_per_s", to_three_digits}}},
                    {"", {{"speedup", "speedup", to_two_decimals}}},
                    {"last cache", {{"share of hits", "last_cache_hits", to_three_digits}}},
                    {"memory", {{"GB/s", "memory_bytes_per_s", in_billions}}}});
  StudyResult result{
      {{"executor", to_string(task.run.executor)},
       {"chunk_bytes", chunk_bytes},
       {"data_bytes", data_bytes},
       {"why_no_counters", counters.why_none()},
       {"rows", std::move(rows)}},
      {Paragraph{fmt::format("encoding {} of data in chunks of {}", counted(data_bytes, "byte"),
                             chunk_bytes)},
       Pictures{{draw_chart(chart)}, {}, {}, true}, std::move(table), executor_note(task)}};
  if (!counters.why_none().empty()) {
    result.parts.emplace_back(Paragraph{fmt::format("-: {}.", counters.why_none())});
  }
  return result;
}

}  // namespace xorloom::cli
