#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "cli/bench/study.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/peak.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/measuring/xor_roofline.hpp"
#include "cli/shell/help.hpp"
#include "cli/shell/running.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom::cli {
namespace {

/// A level of memory: what the bytes of a stripe that lies there allow, and what the code reaches.
struct LevelPoint {
  const char* level;
  std::size_t chunk_bytes;
  double bandwidth;   ///< bytes read and written a second by the fastest plain XOR
  double operations;  ///< a second, of the code
};

struct Roofline {
  double intensity;  ///< operations for each byte that is read or written
  double peak;       ///< operations a second with all operands in registers
  std::vector<LevelPoint> levels;
};

LevelPoint point_at(const StudyTask& task, std::size_t chunk_bytes, const TileCounts& tile) {
  const BenchFixture fixture = make_fixture(task.code, chunk_bytes, Layout::kStaggered, task.run);
  const std::size_t stripe_bytes = chunk_bytes * task.code.locations;
  const bool is_cold = stripe_bytes > task.machine.caches.l3;
  const Plan encoding = study_codec(task, 1).encoding();
  const double seconds = seconds_of_encoding(task, encoding, fixture, kStudyRounds);
  std::vector<const std::uint8_t*> reads;
  std::vector<std::uint8_t*> writes;
  for (const std::size_t l : encoding.reads()) reads.push_back(fixture.stripe.pointers()[l]);
  for (const std::size_t l : encoding.writes()) writes.push_back(fixture.stripe.pointers()[l]);
  const PlainXorStreams streams{reads.data(), reads.size(), writes.data(), writes.size()};
  double best = 0;
  for (Contender& limit : limit_contenders(streams, chunk_bytes, 1)) {
    const double limit_seconds = timed_alone(limit.run, is_cold, 3);
    if (best == 0 || limit_seconds < best) best = limit_seconds;
  }
  const auto bytes = static_cast<double>((reads.size() + writes.size()) * chunk_bytes);
  const double per_byte = static_cast<double>(tile.operations * tile.vector_bytes) /
                          static_cast<double>(bytes_of(tile));
  return {level_of(stripe_bytes, task.machine.caches), chunk_bytes, bytes / best,
          bytes * per_byte / seconds};
}

Roofline measured(const StudyTask& task) {
  const PlanOptions plan = for_encoding(plan_options(task.run));
  const LinearMap map = encoding_map(task.code);
  const PlanExplanation explanation =
      task.given ? explanation_of(task.code, map, task.given->program, nullptr, plan)
                 : explanation_of(task.code, map, plan);
  const TileCounts& tile = explanation.tile;
  Roofline roofline{static_cast<double>(tile.operations * tile.vector_bytes) /
                        static_cast<double>(bytes_of(tile)),
                    peak_operations(plan.isa, task.code.arrangement),
                    {}};
  std::vector<std::size_t> sizes =
      chunk_sizes(task.code, task.machine.caches, task.machine.memory_bytes);
  if (task.chunk_bytes != 0) sizes = {task.chunk_bytes};
  for (const std::size_t bytes : sizes) roofline.levels.push_back(point_at(task, bytes, tile));
  return roofline;
}

Picture picture_of(const StudyTask& task, const Roofline& r) {
  Chart chart{fmt::format("{}: operations a second, and what allows them", task.code.name()),
              {"operations for each byte read or written", ChartAxis::Scale::kLog2, false, false},
              {"10^9 operations a second, each on a byte", ChartAxis::Scale::kLog10, false, false},
              {},
              "Lines: what bandwidth and registers allow. Markers: encoding, with its chunks in "
              "each level."};
  const double least = r.intensity / 8;
  const double most = r.intensity * 8;
  for (const LevelPoint& level : r.levels) {
    const double knee = r.peak / level.bandwidth;
    ChartSeries roof{
        fmt::format("{} allows", level.level), {}, ChartSeries::Form::kPlain, false, {}};
    roof.points.emplace_back(least, std::min(r.peak, least * level.bandwidth) / 1e9);
    if (knee > least && knee < most) roof.points.emplace_back(knee, r.peak / 1e9);
    roof.points.emplace_back(most, std::min(r.peak, most * level.bandwidth) / 1e9);
    chart.series.push_back(std::move(roof));
    chart.series.push_back({fmt::format("encoding in {}", level.level),
                            {{r.intensity, level.operations / 1e9}},
                            ChartSeries::Form::kMarkers,
                            false,
                            {}});
  }
  return draw_chart(chart);
}

}  // namespace

StudyResult study_roofline(const StudyTask& task) {
  const Roofline r = measured(task);
  std::string table = fmt::format(
      "encoding on one core; an operation is an instruction that computes, for each\n"
      "byte of its registers\n\n"
      "operations for each byte read or written  {:>8.3g}\n"
      "10^9 operations a second from registers   {:>8.3g}\n\n"
      "cache     chunk  GB/s read and written  10^9 operations a second\n"
      "                 by plain XOR           allowed  reached  share\n",
      r.intensity, r.peak / 1e9);
  Json levels = Json::array();
  for (const LevelPoint& level : r.levels) {
    const double allowed = std::min(r.peak, r.intensity * level.bandwidth);
    table += fmt::format("{:<5}{:>10}  {:<21.3g} {:>8.3g} {:>8.3g} {:>6.2f}\n", level.level,
                         level.chunk_bytes, level.bandwidth / 1e9, allowed / 1e9,
                         level.operations / 1e9, level.operations / allowed);
    levels.push_back({{"level", level.level},
                      {"chunk_bytes", level.chunk_bytes},
                      {"bandwidth_bytes_per_s", level.bandwidth},
                      {"allowed_operations_per_s", allowed},
                      {"operations_per_s", level.operations}});
  }
  return {std::move(table),
          {{"operations_per_byte", r.intensity},
           {"peak_operations_per_s", r.peak},
           {"levels", std::move(levels)}},
          picture_of(task, r)};
}

}  // namespace xorloom::cli
