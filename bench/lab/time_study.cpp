// The shares are predicted: counts of a tile times the cost of one of each kind on this machine.
// Computing and moving overlap, so no clock can tell them apart.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "bench/lab/study.hpp"
#include "cli/document/figures.hpp"
#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/machine_rates.hpp"
#include "cli/shell/running.hpp"
#include "gen/pictures/chart_svg.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/plans/plan_explanation.hpp"
#include "runtime/plans/prediction.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kParts = 5;
constexpr std::array<const char*, kParts> kNames = {"instructions", "loads", "stores",
                                                    "multiplications", "bytes"};

using Parts = std::array<double, kParts>;

Parts counts_of(const TileCounts& tile) {
  const auto real = [](std::size_t count) { return static_cast<double>(count); };
  return {real(tile.instructions), real(tile.loads), real(tile.stores), real(tile.multiplications),
          real(bytes_of(tile))};
}

Parts costs_of(const InstructionCosts& costs, const TileCounts& tile) {
  return {costs.instruction, costs.load, costs.store, costs.multiplication,
          moving_seconds(costs, tile) / static_cast<double>(bytes_of(tile))};
}

/// Share of each kind in the time of a tile. Computing and moving overlap by a power norm, so the
/// share of each is its power over the sum of the powers.
Parts shares_of(const InstructionCosts& costs, const TileCounts& tile) {
  const double seconds = seconds_of(costs, tile);
  const double core = core_seconds(costs, tile);
  const double moving = std::pow(moving_seconds(costs, tile) / seconds, costs.overlap);
  const Parts counts = counts_of(tile);
  Parts shares = costs_of(costs, tile);
  for (std::size_t i = 0; i < kParts; ++i) shares[i] *= counts[i] * (1 - moving) / core;
  shares.back() = moving;
  return shares;
}

Json named(const Parts& parts) {
  Json json;
  for (std::size_t i = 0; i < kParts; ++i) json[kNames[i]] = parts[i];
  return json;
}

/// Measured and predicted time of encoding with one chunk size.
Json timed_row(const StudyTask& task, std::size_t chunk_bytes, const PlanExplanation& explanation,
               const MachineRates::Of& rates) {
  const BenchFixture fixture = make_fixture(task.code(), chunk_bytes, Layout::kStaggered, task.run);
  const double seconds = seconds_of_encoding(task.code(), task.codec(1).encoding(), fixture,
                                             task.is_cold(chunk_bytes), kStudyRounds);
  const std::size_t stripe_bytes = chunk_bytes * task.code().locations;
  const Level level = xorloom::level_of(task.machine.caches, stripe_bytes);
  const std::size_t data_bytes = data_capacity(task.code(), chunk_bytes);
  const double tiles =
      static_cast<double>(data_bytes) / static_cast<double>(explanation.work.data_bytes);
  const InstructionCosts costs = rates.costs.at(level, explanation.work.chunks);
  const double predicted =
      seconds_of_call(rates.costs, level, explanation.work.tile, explanation.work.chunks, tiles);
  return {{"level", to_string(level)},
          {"chunk_bytes", chunk_bytes},
          {"data_bytes", data_bytes},
          {"seconds", seconds},
          {"predicted_seconds", predicted},
          {"data_gb_per_s", gigabytes_per_second(data_bytes, seconds)},
          {"predicted_data_gb_per_s", gigabytes_per_second(data_bytes, predicted)},
          {"predicted_over_measured", predicted / seconds},
          {"seconds_of_one", named(costs_of(costs, explanation.work.tile))},
          {"shares", named(shares_of(costs, explanation.work.tile))}};
}

/// Picoseconds with three significant digits; at most six columns, for values up to a microsecond.
std::string in_picoseconds(const Json& seconds) {
  const double picoseconds = seconds.real() * 1e12;
  if (picoseconds >= 999.5) return fmt::format("{:.0f}", picoseconds);
  if (picoseconds >= 0.01) return fmt::format("{:.3g}", picoseconds);
  return picoseconds > 0 ? fmt::format("{:.4f}", picoseconds) : "0";
}

/// Columns for each kind, of members below `member`.
std::vector<Figure> by_kind(const std::string& member, const Show& show) {
  std::vector<Figure> figures;
  for (const char* const name : kNames) {
    figures.push_back({std::string(name) == "multiplications" ? "mul." : name,
                       fmt::format("{}{}", member, name), show});
  }
  return figures;
}

/// Table of the counts of a tile, and of the cost of one of each kind per level.
Table needs_table(const Json& data) {
  const Show whole = [](const Json& count) { return fmt::format("{:.0f}", count.real()); };
  const std::vector<FigureGroup> counts{{"encoding needs", by_kind("", whole)}};
  const std::vector<FigureGroup> costs{{"", by_kind("", in_picoseconds)}};
  Table table{column_groups(counts), {{"", {}}}};
  std::vector<TableRow>& rows = table.blocks.front().rows;
  rows.push_back(record_row(
      data["tile"], fmt::format("a tile, of {} bytes of data", data["tile_data_bytes"].whole()),
      counts));
  for (const Json& level : data["levels"]) {
    rows.push_back(
        record_row(level["seconds_of_one"],
                   fmt::format("what one takes in {}, picoseconds", level["level"].text()), costs));
  }
  return table;
}

Table shares_table(const Json& data) {
  return record_table(data["levels"], {"cache", "level"},
                      {{"", {{"chunk", "chunk_bytes", in_full}}},
                       {"GB/s of data",
                        {{"measured", "data_gb_per_s", to_three_digits},
                         {"predicted", "predicted_data_gb_per_s", to_three_digits},
                         {"m/p", "predicted_over_measured", to_two_decimals}}},
                       {"% of the predicted time", by_kind("shares.", in_whole_percent)}});
}

Picture picture_of_times(const StudyTask& task, const Json& levels) {
  BarChart chart{fmt::format("{}: what the time of encoding goes into", task.code().name()),
                 "% of the predicted time",
                 {},
                 {},
                 "By counts of the machine code and what one of each costs on this machine."};
  for (const char* const name : kNames) chart.series.push_back({name, {}});
  for (const Json& level : levels) {
    chart.categories.push_back(
        fmt::format("{}: {} bytes", level["level"].text(), level["chunk_bytes"].whole()));
    for (BarChart::Series& series : chart.series) {
      series.values.push_back(level["shares"][series.name].real() * 100);
    }
  }
  return draw_bars(chart);
}

}  // namespace

StudyResult study_time(const StudyTask& task) {
  const PlanExplanation explanation = encoding_explanation(task);
  MachineRates kept = kept_rates();
  const MachineRates::Of& rates =
      measured_rates(kept, plan_options(task.run).isa, task.code().arrangement);
  Json levels = Json::array();
  for (const std::size_t bytes : sizes_of(task)) {
    levels.push_back(timed_row(task, bytes, explanation, rates));
  }
  const Json data{{"engine", to_string(explanation.engine)},
                  {"prediction_error", prediction_error_json(rates.error)},
                  {"tile_data_bytes", explanation.work.data_bytes},
                  {"tile", named(counts_of(explanation.work.tile))},
                  {"levels", std::move(levels)}};
  return {data,
          {Paragraph{fmt::format("encoding on one core by {}",
                                 explanation.engine == Engine::kCode ? "machine code" : "kernels")},
           Pictures{{picture_of_times(task, data["levels"])}, {}, {}, true}, needs_table(data),
           shares_table(data),
           Paragraph{
               "The predicted time of a tile is that of its instructions, loads, stores and "
               "multiplications, each times what one takes, or that of moving its bytes, whichever "
               "is longer; the shorter adds what the two do not overlap. What one takes was fitted "
               "to the times of other codes on this machine. bytes: read or written of chunks. " +
               prediction_error_text(rates.error)}}};
}

}  // namespace xorloom::cli
